import * as z from 'zod'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import { runYielding, type Steps } from '../../basics/slices.ts'
import { fail } from '../../contract/errors.ts'
import type { Difference, Expectation, Miss, Pattern } from '../../contract/expectation.ts'
import type { Entry } from '../../contract/journal-entry.ts'
import type { OperationName } from '../../contract/shapes.ts'
import type { Decision } from '../../contract/traffic.ts'
import { collections, modules } from '../../resources/index.ts'
import type { Journal } from '../../sandbox/index.ts'
import { pathPattern } from '../../scenarios/path.ts'
import { answerMembers } from '../../schema/index.ts'
import { checkMethod, checkOperation, checkPath, statusMatches } from './request-pattern.ts'
import { type Compile, isPattern, type Matches, valueMatcher } from './value-matcher.ts'

const WHERE =
  'by name, such as body.description, query.limit, headers.user-agent, response.id: a value, or one of contains, matches, absent, gt, gte, lt, lte with one'

const pattern = {
  operation: z.string().optional().meta({ description: 'an operation id' }) as z.ZodOptional<z.ZodType<OperationName>>,
  method: z.string().optional(),
  path: z.string().optional().meta({ description: '* stands for any part of a segment, ** for any segments' }),
  status: z.union([z.int(), z.string().regex(/^[1-5]xx$/, { error: 'a number, or a class like 4xx' })]).optional(),
  caller: z.string().optional().meta({ description: 'a user, bot or key' }),
  where: z.record(z.string(), z.unknown()).optional().meta({ description: WHERE }),
  edge: z.string().optional().meta({ description: 'with edge, verdict, source_ip or route it is about traffic' }),
  verdict: z.enum(['allow', 'refuse']).optional(),
  source_ip: z.string().optional(),
  route: z.string().optional(),
}
const times = {
  count: z.int().min(0).optional().meta({ description: 'how many must match' }),
  at_least: z.int().min(0).optional().meta({ description: '1 unless another number is given' }),
  at_most: z.int().min(0).optional(),
}

export const expectationSchema: z.ZodType<Expectation> = z.strictObject({
  ...pattern,
  ...times,
  // A journal has no more requests.
  sequence: z
    .array(z.strictObject(pattern))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: 'instead of all else: patterns to be met in this order' }),
})

export type Verification =
  | { matched: string[]; failure?: undefined }
  | { matched: string[]; failure: string; nearest: Miss[] }

/** A request of the journal, or what an edge decided. */
type Seen = Entry | Decision

const ANSWERED = new Set([
  ...['next_page_uri', 'error_code', 'status_code', 'msg', 'details', 'unreadable'],
  ...collections.flatMap(kind => [
    ...answerMembers(kind),
    ...(kind.listAs ? [kind.listAs] : []),
    ...(kind.partOf?.shown ? [kind.partOf.list] : []),
  ]),
  ...modules.flatMap(({ fields }) => Object.entries(fields).map(([name, { shownAs }]) => shownAs ?? name)),
])

const NEAREST = 3
const MOST_PATTERNS = 20
const PLACES = ['body', 'query', 'headers', 'response']

/** Rejects expectations that nothing, or anything, would meet. */
export function checkExpectation({ sequence, ...alone }: Expectation, journal: Journal) {
  const { count, at_least, at_most } = alone
  if (sequence && Object.values(alone).some(value => value !== undefined))
    fail('bad_request', { why: '"sequence" cannot be combined with other members: put the conditions into its steps' })
  if (count !== undefined && (at_least !== undefined || at_most !== undefined))
    fail('bad_request', { why: '"count" cannot be combined with "at_least" or "at_most"' })
  if (at_least !== undefined && at_most !== undefined && at_least > at_most)
    fail('bad_request', { why: '"at_least" must not be greater than "at_most"' })
  const steps = sequence ?? [alone]
  if (steps.some(isAboutTraffic)) return checkTraffic(steps)
  for (const { operation, method, path, where } of steps) {
    const patterns = Object.values(where ?? {}).filter(isPattern).length
    if (patterns > MOST_PATTERNS)
      fail('bad_request', { why: `"where" has ${patterns} regular expressions, of ${MOST_PATTERNS} at most` })
    if (operation !== undefined) checkOperation(operation)
    if (method !== undefined) checkMethod(method)
    if (path !== undefined) checkPath(path, journal)
    for (const field of Object.keys(where ?? {})) {
      if (!PLACES.includes(field.split('.')[0]!))
        fail('bad_request', { why: `"${field.slice(0, 80)}" in "where" must start with one of ${PLACES.join(', ')}` })
      if (field.startsWith('response.')) checkMember(field)
    }
  }
}

/** Whether it is about what came to edges, and not about calls of the API. */
export const isAboutTraffic = ({ edge, verdict, source_ip, route }: Pattern) =>
  [edge, verdict, source_ip, route].some(given => given !== undefined)

function checkTraffic(steps: Pattern[]) {
  for (const step of steps) {
    if (!isAboutTraffic(step))
      fail('bad_request', { why: 'In a sequence, all steps are about edges, or none: give each its "edge"' })
    const { operation, caller, where } = step
    const foreign = Object.entries({ operation, caller, where }).find(([, given]) => given !== undefined)
    if (foreign)
      fail('bad_request', { why: `"${foreign[0]}" is about calls of the API, and cannot be combined with "edge"` })
  }
}

/** Answers have the members that the declarations give them, or those of an error. */
function checkMember(field: string) {
  const [, name] = field.split('.') as [string, string]
  if (ANSWERED.has(name)) return
  const hint =
    name === 'status'
      ? ' The status of an answer is "status", outside of "where".'
      : didYouMean(nearest(name, ANSWERED))
  fail('bad_request', { why: `No answer has a member ${JSON.stringify(name.slice(0, 80))}.${hint}` })
}

/** Whether what came, oldest first, is as expected; if not, what came closest and how it differs. */
export async function verify(entries: Seen[], expected: Expectation): Promise<Verification> {
  const { sequence } = expected
  const compile = (sequence ?? [expected]).some(needsPatterns) ? await loadPatterns() : undefined
  return runYielding(sequence ? verifySequence(entries, sequence, compile) : verifyCount(entries, expected, compile))
}

const needsPatterns = ({ where = {} }: Pattern) => Object.values(where).some(isPattern)
/** Most questions need none, and they take a while to load. */
const loadPatterns = async () => (await import('./regular-expression.ts')).regularExpression

function* verifyCount(entries: Seen[], expected: Expectation, compile?: Compile): Steps<Verification> {
  const compared = yield* compare(entries, expected, compile)
  const matched = compared.filter(isMatch).map(({ id }) => id)
  const { count, at_most } = expected
  const least = count ?? expected.at_least ?? (at_most === undefined ? 1 : 0)
  const most = count ?? at_most ?? Number.POSITIVE_INFINITY
  if (matched.length >= least && matched.length <= most) return { matched }
  const wanted =
    count !== undefined ? `exactly ${count}` : matched.length < least ? `at least ${least}` : `at most ${most}`
  const failure = `Expected ${wanted} matching request${wanted.endsWith(' 1') ? '' : 's'}, found ${matched.length} among ${entries.length} in the journal`
  return { matched, failure, nearest: matched.length < least ? nearestMisses(compared) : [] }
}

function* verifySequence(entries: Seen[], sequence: Pattern[], compile?: Compile): Steps<Verification> {
  const matched: string[] = []
  let from = 0
  for (const [step, wanted] of sequence.entries()) {
    const differences = yield* comparer(wanted, compile)
    let at = from
    for (; at < entries.length; at++) {
      if ((yield* differences(entries[at]!)).length === 0) break
      yield
    }
    if (at === entries.length) {
      const compared = yield* compare(entries, wanted, compile)
      const earlier = compared.slice(0, from).findLast(isMatch)
      const hint = earlier ? `: one came earlier, ${earlier.id}` : ''
      const failure = `Step ${step + 1} of ${sequence.length} has no matching request after the ones before it${hint}`
      return { matched, failure, nearest: nearestMisses(compared.slice(from)) }
    }
    matched.push(entries[at]!.id)
    from = at + 1
    yield
  }
  return { matched }
}

const isMatch = ({ differs }: Miss) => differs.length === 0

/** Every entry, with how it differs. */
function* compare(entries: Seen[], wanted: Pattern, compile?: Compile): Steps<Miss[]> {
  const differences = yield* comparer(wanted, compile)
  const compared: Miss[] = []
  for (const entry of entries) {
    const { id, method, path, status } = entry
    compared.push({ id, method, path, status, differs: yield* differences(entry) })
    yield
  }
  return compared
}

function nearestMisses(compared: Miss[]): Miss[] {
  // Newest first among equals: the latest attempt is what people look for.
  return compared
    .filter(miss => !isMatch(miss))
    .reverse()
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, NEAREST)
}

/** The right operation with a wrong field is closer than another operation. */
const distance = ({ differs }: Miss) => differs.length + (differs.some(({ field }) => field === 'operation') ? 0.5 : 0)

/** How a request differs from what is wanted. Each regular expression is a step. */
function* comparer(wanted: Pattern, compile?: Compile): Steps<(entry: Seen) => Steps<Difference[]>> {
  const { operation, method, path, status, where = {} } = wanted
  const plain = ['edge', 'verdict', 'source_ip', 'route'] as const
  const pathMatches = path === undefined ? undefined : pathPattern(path)
  const tests: { field: string; value: unknown; test: Matches }[] = []
  for (const [field, value] of Object.entries(where)) {
    tests.push({ field, value, test: valueMatcher(field, value, compile) })
    yield
  }
  return function* (entry) {
    const found: Difference[] = []
    const differ = (field: string, expected: unknown, received: unknown) => found.push({ field, expected, received })
    for (const field of plain) {
      const received = (entry as Partial<Decision>)[field]
      if (wanted[field] !== undefined && wanted[field] !== received) differ(field, wanted[field], received)
    }
    if (operation !== undefined && operation !== (entry as Entry).operation)
      differ('operation', operation, (entry as Entry).operation)
    if (status !== undefined && !statusMatches(entry.status, String(status))) differ('status', status, entry.status)
    if (method !== undefined && method.toUpperCase() !== entry.method) differ('method', method, entry.method)
    if (pathMatches && !pathMatches(entry.path ?? '')) differ('path', path, entry.path)
    const { caller } = entry as Entry
    if (wanted.caller !== undefined && wanted.caller !== caller?.id && wanted.caller !== caller?.key_id)
      differ('caller', wanted.caller, caller?.id ?? null)
    const roots = tests.length > 0 ? rootsOf(entry as Entry) : {}
    for (const { field, value, test } of tests) {
      const received = lookUp(roots, field)
      if (!test(received)) differ(field, value, received)
      yield
    }
    return found
  }
}

/** Made anew whenever an entry is asked for them. */
function rootsOf(entry: Entry): Record<string, unknown> {
  const { request, query, response } = entry
  return { body: request.body, query, headers: request.headers, response: response?.body }
}

/**
 * `body.description`, `query.limit`, `headers.user-agent`, `response.id`: names may hold dots themselves, longest
 * first.
 */
function lookUp(roots: Record<string, unknown>, field: string): unknown {
  const [root, ...steps] = (field.startsWith('headers.') ? field.toLowerCase() : field).split('.')
  let value = Object.hasOwn(roots, root!) ? roots[root!] : undefined
  for (let i = 0; i < steps.length; i++) {
    if (typeof value !== 'object' || value === null) return undefined
    const rest = steps.slice(i).join('.')
    if (Object.hasOwn(value, rest)) return (value as Record<string, unknown>)[rest]
    if (!Object.hasOwn(value, steps[i]!)) return undefined
    value = (value as Record<string, unknown>)[steps[i]!]
  }
  return value
}
