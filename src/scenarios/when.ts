import * as z from 'zod'
import { nearest } from '../basics/nearest.ts'
import { CidrMap, prefixOf } from '../ip/cidr.ts'
import { operations } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import { type Operation, parseTime } from '../schema/index.ts'
import { routePattern, segmentsOf, segmentsPattern } from './path.ts'
import { addProblem, oneOf, oneOrMore, timestamp } from './setting.ts'

const METHODS = [...new Set(operations.map(({ method }) => method))]
const ROUTES = [...new Set(operations.map(({ path }) => path))]

const MAX_CACHED_PATHS = 5_000
const knownRoutes = new Map<string, ReadonlySet<string>>()

/** The routes that a path pattern can match. Cached, because checking a rule and compiling it both need them. */
function routesOf(written: string): ReadonlySet<string> {
  let routes = knownRoutes.get(written)
  if (!routes) {
    routes = new Set(ROUTES.filter(routePattern(written)))
    if (knownRoutes.size >= MAX_CACHED_PATHS) knownRoutes.clear()
    knownRoutes.set(written, routes)
  }
  return routes
}

const operation = oneOf(
  'the name of an operation',
  operations.map(({ id }) => id),
)

const path = z.string().check(ctx => {
  if (routesOf(ctx.value).size > 0 && !/[?#\s]/.test(ctx.value)) return
  const near = nearest(ctx.value.replace(/[?#].*|\/+$/g, ''), ROUTES)
  addProblem(ctx, {
    expected: 'a path of the API without a query, like /api_keys, /api_keys/{id}, /api_keys/ak_*, /edges/**',
    near,
  })
})

const sourceIp = z.string().check(ctx => {
  if (prefixOf(toCidr(ctx.value)) === undefined) addProblem(ctx, { expected: 'an IP address or a CIDR block' })
})

const CALLS = 'the number of a call, or a range like 2-3 or 6-'

const calls = z
  .union([z.int({ error: CALLS }), z.string({ error: CALLS })])
  .check(ctx => {
    const range = readCalls(ctx.value)
    if (!range) addProblem(ctx, { expected: CALLS })
    else if (range[1] < range[0]) addProblem(ctx, { expected: 'a range like 2-3, the lower number first' })
  })
  .meta({ pattern: '^[1-9]\\d{0,14}(-\\d{0,15})?$', minimum: 1, examples: [2, '2-3', '6-'] })

const BETWEEN = 'two times, the earlier one first'

const between = z.array(timestamp(), { error: BETWEEN }).check(ctx => {
  const [from, until] = ctx.value.map(time => parseTime(time) ?? Number.NaN)
  if (ctx.value.length !== 2 || from! >= until!) addProblem(ctx, { expected: BETWEEN })
})

export const whenSchema = z
  .strictObject({
    operation: oneOrMore(operation).optional(),
    method: oneOrMore(oneOf('a method of the API', METHODS)).optional(),
    path: oneOrMore(path).optional(),
    owner: oneOrMore(z.string()).optional(),
    source_ip: oneOrMore(sourceIp).optional(),
    edge: oneOrMore(z.string()).optional(),
    calls: calls.optional(),
    between: between.meta({ minItems: 2, maxItems: 2 }).optional(),
  })
  .check(ctx => {
    const { edge, operation, method, path, owner } = ctx.value
    if (edge !== undefined) {
      if ([operation, method, path, owner].some(given => given !== undefined))
        addProblem(ctx, {
          message: 'edge is about traffic, and operation, method, path and owner are about calls: write two rules',
        })
      return
    }
    if (operationsOf(ctx.value).length > 0) return
    addProblem(ctx, { message: 'no call can match: no operation has this operation, method and path all at once' })
  })
export type When = z.infer<typeof whenSchema>

/** The operations that a rule can match. */
export function operationsOf({ operation, method, path, edge }: When): Operation[] {
  if (edge !== undefined) return []
  const wanted = (values: string | string[] | undefined, fits: (value: string) => boolean) =>
    values === undefined || [values].flat().some(fits)
  const routes = path === undefined ? undefined : new Set([path].flat().flatMap(written => [...routesOf(written)]))
  return operations.filter(
    each =>
      wanted(operation, id => id === each.id) &&
      wanted(method, name => name === each.method) &&
      (routes === undefined || routes.has(each.path)),
  )
}

/** What a rule can match: a call, or a connection or request to an edge. */
export type Subject = Pick<Call, 'sandbox' | 'sourceIp' | 'clockPlayedAPart'> & {
  entry: Pick<Call['entry'], 'path' | 'rules'>
} & (
    | (Pick<Call, 'operation' | 'caller'> & { edge?: undefined })
    | { edge: string; operation?: undefined; caller?: undefined }
  )

/** Compiles `when`: every member must match, by any of its values. */
export function matcher(when: When): (subject: Subject) => boolean {
  const own = new Set(operationsOf(when))
  const tests: ((subject: Subject) => boolean)[] = []
  const { path, owner, source_ip, edge } = when
  if (path !== undefined) {
    const patterns = [path].flat().map(segmentsPattern)
    tests.push(call => {
      const segments = segmentsOf(call.entry.path)
      return patterns.some(matches => matches(segments))
    })
  }
  if (owner !== undefined) {
    const owners = new Set([owner].flat())
    tests.push(({ caller }) => caller !== undefined && owners.has(caller.id))
  }
  if (source_ip !== undefined) {
    const sources = new CidrMap([source_ip].flat().map(source => [toCidr(source), true]))
    tests.push(call => sources.get(call.sourceIp) === true)
  }
  const edges = edge === undefined ? undefined : new Set([edge].flat())
  const isTarget = (subject: Subject) =>
    subject.edge === undefined ? own.has(subject.operation!) : edges?.has(subject.edge) === true
  return subject => isTarget(subject) && tests.every(test => test(subject))
}

export const toCidr = (address: string) =>
  address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`

/** The calls a rule fires for, numbered among those it matches; undefined if the text is not a range. */
export function readCalls(calls: string | number = '1-'): [from: number, to: number] | undefined {
  const parts = /^([1-9]\d{0,14})(-(\d{0,15}))?$/.exec(String(calls))
  if (!parts) return undefined
  const from = Number(parts[1])
  return [from, parts[2] === undefined ? from : parts[3] === '' ? Number.POSITIVE_INFINITY : Number(parts[3])]
}
