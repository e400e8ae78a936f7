import * as z from 'zod'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import type { Steps } from '../../basics/slices.ts'
import type { DeliveryExpectation, DeliveryPattern, Expectation, Pattern } from '../../contract/expectation.ts'
import { MAX_SEQUENCE_STEPS } from '../../contract/lengths.ts'
import type { OperationName } from '../../contract/shapes.ts'
import { responseFields } from '../../operations/filter-members.ts'
import { collections, modules } from '../../resources/index.ts'
import type { Journal } from '../../sandbox/index.ts'
import { optional, quoted, reject } from '../route.ts'
import { checkEventType, DELIVERY_STATUSES } from './delivery-log.ts'
import type { AnyPattern } from './log-kind.ts'
import { checkPattern } from './pattern.ts'
import { isRegularExpression } from './value-matcher.ts'
import type { AnyExpectation } from './verify.ts'

/** In the `where` of one step. */
export const MAX_REGULAR_EXPRESSIONS = 20

const whereOf = (examples: string) =>
  optional(
    z.record(z.string(), z.unknown()),
    `by name, such as ${examples}: a value, or one of contains, matches, absent, gt, gte, lt, lte with one`,
  )

const pattern = {
  operation: optional(z.string(), 'an operation id') as z.ZodOptional<z.ZodType<OperationName>>,
  method: z.string().optional(),
  path: optional(z.string(), '* stands for any part of a segment, ** for any segments'),
  status: z.union([z.int(), z.string().regex(/^[1-5]xx$/, { error: 'a number, or a class like 4xx' })]).optional(),
  caller: optional(z.string(), 'a user, bot or key'),
  where: whereOf('body.description, query.limit, headers.user-agent, response.id'),
  edge: optional(z.string(), 'with edge, verdict, source_ip or route it is about traffic'),
  verdict: z.enum(['allow', 'refuse']).optional(),
  source_ip: z.string().optional(),
  route: z.string().optional(),
}
const times = {
  count: optional(z.int().min(0), 'how many must match'),
  at_least: optional(z.int().min(0), '1 unless another number is given'),
  at_most: z.int().min(0).optional(),
}

const expectationOf = <P extends z.ZodRawShape>(pattern: P) =>
  z.strictObject({
    ...pattern,
    ...times,
    sequence: optional(
      z.array(z.strictObject(pattern)).min(1).max(MAX_SEQUENCE_STEPS),
      'instead of all else: patterns to be met in this order',
    ),
  })

export const expectationSchema: z.ZodType<Expectation> = expectationOf(pattern)

export const deliveryExpectationSchema: z.ZodType<DeliveryExpectation> = expectationOf({
  type: optional(z.string(), 'a type of event, such as ip_policy_created.v0'),
  destination: optional(z.string(), 'the id of an event destination'),
  subscription: optional(z.string(), 'the id of an event subscription'),
  status: optional(z.enum(DELIVERY_STATUSES), 'what became of it'),
  where: whereOf('object.description, principal.id'),
})

/** The members that answers can have. */
const RESPONSE_MEMBERS = new Set([
  ...['next_page_uri', 'error_code', 'status_code', 'msg', 'details', 'unreadable'],
  ...collections.flatMap(kind => [
    ...Object.keys(responseFields(kind)),
    ...(kind.listAs ? [kind.listAs] : []),
    ...(kind.partOf?.shown ? [kind.partOf.list] : []),
  ]),
  ...modules.flatMap(({ fields }) => Object.entries(fields).map(([name, { shownAs }]) => shownAs ?? name)),
])

const PLACES = ['body', 'query', 'headers', 'response']
const DELIVERY_PLACES = ['object', 'principal', 'account_id', 'event_id', 'event_type', 'event_timestamp']

/** Fails for expectations that nothing can meet, or everything. Returns the steps, or the only one. */
function checkSteps<P extends AnyPattern>({ sequence, ...alone }: AnyExpectation & { sequence?: P[] }): P[] {
  const { count, at_least, at_most } = alone
  if (sequence && Object.values(alone).some(value => value !== undefined))
    reject('"sequence" cannot be combined with other members: put the conditions into its steps')
  if (count !== undefined && (at_least !== undefined || at_most !== undefined))
    reject('"count" cannot be combined with "at_least" or "at_most"')
  if (at_least !== undefined && at_most !== undefined && at_least > at_most)
    reject('"at_least" must not be greater than "at_most"')
  return sequence ?? [alone as P]
}

function checkWhere({ where = {} }: AnyPattern, places: string[]) {
  const patterns = Object.values(where).filter(isRegularExpression).length
  if (patterns > MAX_REGULAR_EXPRESSIONS)
    reject(`"where" has ${patterns} regular expressions, of ${MAX_REGULAR_EXPRESSIONS} at most`)
  for (const field of Object.keys(where))
    if (!places.includes(field.split('.')[0]!))
      reject(`"${field.slice(0, 80)}" in "where" must start with one of ${places.join(', ')}`)
}

/** About requests, or about the traffic of edges. To look for a path in the journal takes a while. */
export function* checkExpectation(expectation: Expectation, journal: Journal): Steps<void> {
  const steps = checkSteps<Pattern>(expectation)
  if (steps.some(isAboutTraffic)) return checkTraffic(steps)
  for (const step of steps) {
    yield
    checkPattern(step, journal)
    checkWhere(step, PLACES)
    for (const [field, value] of Object.entries(step.where ?? {}))
      if (field.startsWith('response.')) checkResponseField(field, value)
  }
}

/** About deliveries of events. */
export function checkDeliveryExpectation(expectation: DeliveryExpectation) {
  for (const step of checkSteps<DeliveryPattern>(expectation)) {
    if (step.type !== undefined) checkEventType(step.type)
    checkWhere(step, DELIVERY_PLACES)
  }
}

/** Whether the pattern is about traffic of edges, not about calls of the API. */
export const isAboutTraffic = ({ edge, verdict, source_ip, route }: Pattern) =>
  [edge, verdict, source_ip, route].some(given => given !== undefined)

function checkTraffic(steps: Pattern[]) {
  for (const step of steps) {
    if (!isAboutTraffic(step)) reject('In a sequence, all steps are about edges, or none: give each its "edge"')
    const { operation, caller, where } = step
    const misplaced = Object.entries({ operation, caller, where }).find(([, given]) => given !== undefined)
    if (misplaced) reject(`"${misplaced[0]}" is about calls of the API, and cannot be combined with "edge"`)
  }
}

function checkResponseField(field: string, value: unknown) {
  const [, name] = field.split('.') as [string, string]
  // An answer with a member of that name has a text there.
  if (name === 'status' && typeof value === 'number') reject('The status of an answer is "status", outside of "where"')
  if (RESPONSE_MEMBERS.has(name)) return
  reject(`No answer has a member ${quoted(name)}.${didYouMean(nearest(name, RESPONSE_MEMBERS))}`)
}
