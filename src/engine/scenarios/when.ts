import * as z from 'zod'
import { CidrMap, prefixOf } from '../../basics/cidr.ts'
import { memoizeBy } from '../../basics/memoize.ts'
import { nearestPattern } from '../../basics/nearest.ts'
import { MAX_GLOB_LENGTH } from '../../contract/lengths.ts'
import type { Api } from '../api.ts'
import { type Operation, parseTime } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'
import { pathPattern, routePattern, routesOf, segmentsOf, segmentsPattern } from './path.ts'
import { addProblem, oneOf, oneOrMore, timestamp } from './setting.ts'

/** Reports a pattern that is too long to be compared. */
function isTooLong(ctx: { value: string; issues: z.core.$ZodRawIssue[] }): boolean {
  if (ctx.value.length <= MAX_GLOB_LENGTH) return false
  addProblem(ctx, { message: `must have up to ${MAX_GLOB_LENGTH} characters, got ${ctx.value.length}` })
  return true
}

const sourceIp = z.string().check(ctx => {
  if (prefixOf(toCidr(ctx.value)) === undefined) addProblem(ctx, { expected: 'an IP address or a CIDR block' })
})

const CALLS = 'a call number, or a range like 2-3 or 6-'

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

/** The conditions of rules on an API, as a schema and as what they can match. */
export const whenOf = memoizeBy(({ catalog, events, traffic, firstOperation }: Api) => {
  const { operations } = catalog
  const METHODS = [...new Set(operations.map(({ method }) => method))]
  const ROUTES = routesOf(catalog)
  const eventTypes = events?.types ?? []

  const operation = oneOf(
    'an operation name',
    operations.map(({ id }) => id),
  )

  const path = z.string().check(ctx => {
    if (isTooLong(ctx)) return
    if (ROUTES.some(routePattern(ctx.value)) && !/[?#\s]/.test(ctx.value)) return
    const known = ROUTES.map(({ path }) => path)
    const near = nearestPattern(ctx.value.replace(/[?#].*|\/+$/g, ''), known)
    const example = operations.find(({ id }) => id === firstOperation)!.path
    const expected = `an API path without a query, like ${example}, ${example}/{id}, ${example}/*, ${example}/**`
    addProblem(ctx, { expected, near })
  })

  const delivery = z.string().check(ctx => {
    if (isTooLong(ctx)) return
    if (typesLike(ctx.value).length > 0) return
    const expected = `an event type like ${eventTypes[0]}, or with * for any part of it`
    addProblem(ctx, { expected, near: nearestPattern(ctx.value, eventTypes) })
  })

  /** The event types that match a pattern. */
  const typesLike = (written: string) => eventTypes.filter(pathPattern(written))

  /** Conditions that replace those of calls, each with the conditions that cannot be combined with it. */
  const ownConditions = [
    ...(traffic ? [{ name: traffic.condition, excludes: OF_CALLS }] : []),
    ...(events
      ? [{ name: DELIVERY, excludes: [...(traffic ? [traffic.condition] : []), ...OF_CALLS, 'source_ip'] }]
      : []),
  ].toReversed()

  const conditions = {
    operation: oneOrMore(operation).optional(),
    method: oneOrMore(oneOf('an API method', METHODS)).optional(),
    path: oneOrMore(path).optional(),
    owner: oneOrMore(z.string()).optional(),
    source_ip: oneOrMore(sourceIp).optional(),
    ...(traffic && { [traffic.condition]: oneOrMore(z.string()).optional() }),
    ...(events && { [DELIVERY]: oneOrMore(delivery).optional() }),
    calls: calls.optional(),
    between: between.meta({ minItems: 2, maxItems: 2 }).optional(),
  }
  const schema = z.strictObject(conditions).check(ctx => {
    const when = ctx.value as When & Record<string, unknown>
    const own = ownConditions.find(({ name }) => when[name] !== undefined)
    if (own) {
      if (!own.excludes.some(name => when[name] !== undefined)) return
      const others = `${own.excludes.slice(0, -1).join(', ')} or ${own.excludes.at(-1)}`
      return addProblem(ctx, { message: `${own.name} cannot be combined with ${others}. Write two rules` })
    }
    // A path without operation and method was already matched with a route.
    if ((when.operation === undefined && when.method === undefined) || operationsOf(when).length > 0) return
    addProblem(ctx, { message: 'no call can match this combination of operation, method and path' })
  }) as z.ZodType<When>

  /** The records whose traffic a rule can match. Undefined if it does not apply to traffic. */
  const recordsOf = (when: When): string[] | undefined => {
    const ids = traffic && (when as Record<string, string | string[] | undefined>)[traffic.condition]
    return ids === undefined ? undefined : [ids].flat()
  }

  /** The event types that a rule can match. Undefined if it does not apply to deliveries. */
  const deliveredTypes = ({ delivery }: When): string[] | undefined =>
    delivery === undefined ? undefined : [delivery].flat().flatMap(typesLike)

  /** The operations that a rule can match. */
  function operationsOf(when: When): Operation[] {
    const { operation, method, path } = when
    if (ownConditions.some(({ name }) => (when as Record<string, unknown>)[name] !== undefined)) return []
    const [ids, methods] = [operation, method].map(wanted => (wanted === undefined ? wanted : new Set([wanted].flat())))
    const found = operations.filter(each => (ids?.has(each.id) ?? true) && (methods?.has(each.method) ?? true))
    if (path === undefined) return found
    const patterns = [path].flat().map(routePattern)
    const routes = new Set(ROUTES.filter(route => patterns.some(matches => matches(route))).map(route => route.path))
    return found.filter(each => routes.has(each.path))
  }

  return { schema, conditions: Object.keys(conditions), operationsOf, deliveredTypes, recordsOf }
})

const DELIVERY = 'delivery'
const OF_CALLS = ['operation', 'method', 'path', 'owner']

/** The conditions of a rule, as written. An API with traffic has one more. */
export type When = {
  operation?: string | string[]
  method?: string | string[]
  path?: string | string[]
  owner?: string | string[]
  source_ip?: string | string[]
  delivery?: string | string[]
  calls?: number | string
  between?: string[]
}

/** A call, or something else that rules apply to: a record with traffic, or the type of a delivered event. */
export type Subject = Pick<Call, 'sandbox' | 'sourceIp' | 'now'> & {
  entry: Pick<Call['entry'], 'path' | 'rules'>
} & (
    | (Pick<Call, 'operation' | 'caller'> & { target?: undefined })
    | { target: string; operation?: undefined; caller?: undefined }
  )

/** Compiles `when` for these operations: every field must match, by any of its values. */
export function matcher(api: Api, when: When, operations: Operation[]): (subject: Subject) => boolean {
  const own = new Set(operations)
  const tests: ((subject: Subject) => boolean)[] = []
  const { path, owner, source_ip } = when
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
  const { deliveredTypes, recordsOf } = whenOf(api)
  const targets = new Set<string | undefined>(deliveredTypes(when) ?? recordsOf(when))
  const isTarget = ({ operation, target }: Subject) => (operation ? own.has(operation) : targets.has(target))
  return subject => isTarget(subject) && tests.every(test => test(subject))
}

const toCidr = (address: string) => (address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`)

/** The numbers of matching calls for which a rule fires. Undefined if the string is not a range. */
export function readCalls(calls: string | number = '1-'): [from: number, to: number] | undefined {
  const parts = /^([1-9]\d{0,14})(-(\d{0,15}))?$/.exec(String(calls))
  if (!parts) return undefined
  const from = Number(parts[1])
  return [from, parts[2] === undefined ? from : parts[3] === '' ? Number.POSITIVE_INFINITY : Number(parts[3])]
}
