import { CidrMap, prefixOf } from '../../basics/cidr.ts'
import { memoizeBy } from '../../basics/memoize.ts'
import { nearestPattern } from '../../basics/nearest.ts'
import {
  checked,
  listOf,
  type Mismatch,
  objectOf,
  type Shape,
  suchThat,
  textShape,
  withJson,
  withType,
} from '../../basics/shape.ts'
import { MAX_GLOB_LENGTH } from '../../contract/lengths.ts'
import type { Api } from '../api.ts'
import { type Operation, parseTime, timestamp } from '../language/index.ts'
import type { Subject } from '../rules.ts'
import { pathPattern, routePattern, routesOf, segmentsOf, segmentsPattern } from './path.ts'
import { nameOf, oneOrMore } from './setting.ts'

/** A string with `*` for any part of it, unless it is too long to be compared. */
const pattern = (check: (value: string) => Mismatch | undefined) =>
  textShape({}, value =>
    value.length > MAX_GLOB_LENGTH
      ? { message: `must have up to ${MAX_GLOB_LENGTH} characters, got ${value.length}` }
      : check(value),
  )

const sourceIp = textShape({}, value =>
  prefixOf(toCidr(value)) === undefined ? { expected: 'an IP address or a CIDR block' } : undefined,
)

const calls: Shape<number | string> = checked(
  suchThat<number | string>('a call number, or a range like 2-3 or 6-', value => readCalls(value) !== undefined, {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[1-9]\\d{0,14}(-\\d{0,15})?$',
    minimum: 1,
    examples: [2, '2-3', '6-'],
  }),
  value => {
    const [from, to] = readCalls(value)!
    return to < from ? { expected: 'a range like 2-3, the lower number first' } : undefined
  },
)

const BETWEEN = 'two times, the earlier one first'

const between: Shape<string[]> = withType(
  checked(withJson(listOf(timestamp()), { minItems: 2, maxItems: 2 }), times => {
    const [from, until] = times.map(time => parseTime(time)!)
    return times.length === 2 && from! < until! ? undefined : { expected: BETWEEN }
  }),
  BETWEEN,
)

/** The conditions of rules on an API, as a schema and as what they can match. */
export const whenOf = memoizeBy(({ catalog, events, traffic, firstOperation }: Api) => {
  const { operations } = catalog
  const METHODS = [...new Set(operations.map(({ method }) => method))]
  const ROUTES = routesOf(catalog)
  const eventTypes = events?.types ?? []

  const operation = nameOf(
    'an operation name',
    operations.map(({ id }) => id),
  )

  const path = pattern(value => {
    if (ROUTES.some(routePattern(value)) && !/[?#\s]/.test(value)) return undefined
    const known = ROUTES.map(({ path }) => path)
    const near = nearestPattern(value.replace(/[?#].*|\/+$/g, ''), known)
    const example = operations.find(({ id }) => id === firstOperation)!.path
    const expected = `an API path without a query, like ${example}, ${example}/{id}, ${example}/*, ${example}/**`
    return { expected, near }
  })

  const delivery = pattern(value => {
    if (typesLike(value).length > 0) return undefined
    const expected = `an event type like ${eventTypes[0]}, or with * for any part of it`
    return { expected, near: nearestPattern(value, eventTypes) }
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
    operation: { shape: oneOrMore(operation) },
    method: { shape: oneOrMore(nameOf('an API method', METHODS)) },
    path: { shape: oneOrMore(path) },
    owner: { shape: oneOrMore(textShape()) },
    source_ip: { shape: oneOrMore(sourceIp) },
    ...(traffic && { [traffic.condition]: { shape: oneOrMore(textShape()) } }),
    ...(events && { [DELIVERY]: { shape: oneOrMore(delivery) } }),
    calls: { shape: calls },
    between: { shape: between },
  }
  const shape = checked(objectOf(conditions) as Shape<When>, (when: When & Record<string, unknown>) => {
    const own = ownConditions.find(({ name }) => when[name] !== undefined)
    if (own) {
      if (!own.excludes.some(name => when[name] !== undefined)) return undefined
      const others = `${own.excludes.slice(0, -1).join(', ')} or ${own.excludes.at(-1)}`
      return { message: `${own.name} cannot be combined with ${others}. Write two rules` }
    }
    // A path without operation and method was already matched with a route.
    if ((when.operation === undefined && when.method === undefined) || operationsOf(when).length > 0) return undefined
    return { message: 'no call can match this combination of operation, method and path' }
  })

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

  return { shape, conditions: Object.keys(conditions), operationsOf, deliveredTypes, recordsOf }
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
export function readCalls(calls: unknown = '1-'): [from: number, to: number] | undefined {
  const parts = /^([1-9]\d{0,14})(-(\d{0,15}))?$/.exec(String(calls))
  if (!parts) return undefined
  const from = Number(parts[1])
  return [from, parts[2] === undefined ? from : parts[3] === '' ? Number.POSITIVE_INFINITY : Number(parts[3])]
}
