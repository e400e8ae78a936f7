import * as z from 'zod'
import { nearest } from '../basics/nearest.ts'
import { CidrSet, parseCidr } from '../ip/cidr.ts'
import { operations } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import { type Operation, parseTime } from '../schema/index.ts'
import { routePattern, segmentsOf, segmentsPattern } from './path.ts'
import { complain, known, oneOrMore, timestamp } from './setting.ts'

const METHODS = [...new Set(operations.map(({ method }) => method))]
const ROUTES = [...new Set(operations.map(({ path }) => path))]

const MOST_KNOWN = 5_000
const knownRoutes = new Map<string, ReadonlySet<string>>()

/** The routes that some call with such a path could have: asked for when a rule is checked, and again when it is made. */
function routesOf(written: string): ReadonlySet<string> {
  let routes = knownRoutes.get(written)
  if (!routes) {
    routes = new Set(ROUTES.filter(routePattern(written)))
    if (knownRoutes.size >= MOST_KNOWN) knownRoutes.clear()
    knownRoutes.set(written, routes)
  }
  return routes
}

const operation = known(
  'the name of an operation',
  operations.map(({ id }) => id),
)

const path = z.string().check(ctx => {
  if (routesOf(ctx.value).size > 0 && !/[?#\s]/.test(ctx.value)) return
  const near = nearest(ctx.value.replace(/[?#].*|\/+$/g, ''), ROUTES)
  complain(ctx, {
    expected: 'a path of the API without a query, like /api_keys, /api_keys/{id}, /api_keys/ak_*, /edges/**',
    near,
  })
})

const sourceIp = z.string().check(ctx => {
  if (!parseCidr(toCidr(ctx.value))) complain(ctx, { expected: 'an IP address or a CIDR block' })
})

const CALLS = 'the number of a call, or a range like 2-3 or 6-'

const calls = z
  .union([z.int({ error: CALLS }), z.string({ error: CALLS })])
  .check(ctx => {
    const range = readCalls(ctx.value)
    if (!range) complain(ctx, { expected: CALLS })
    else if (range[1] < range[0]) complain(ctx, { expected: 'a range like 2-3, the lower number first' })
  })
  .meta({ pattern: '^[1-9]\\d{0,14}(-\\d{0,15})?$', minimum: 1, examples: [2, '2-3', '6-'] })

const BETWEEN = 'two times, the earlier one first'

const between = z.array(timestamp(), { error: BETWEEN }).check(ctx => {
  const [from, until] = ctx.value.map(time => parseTime(time) ?? Number.NaN)
  if (ctx.value.length !== 2 || from! >= until!) complain(ctx, { expected: BETWEEN })
})

export const whenSchema = z
  .strictObject({
    operation: oneOrMore(operation).optional(),
    method: oneOrMore(known('a method of the API', METHODS)).optional(),
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
        complain(ctx, {
          says: 'edge is about traffic, and operation, method, path and owner are about calls: write two rules',
        })
      return
    }
    if (operationsOf(ctx.value).length > 0) return
    complain(ctx, { says: 'no call can match: no operation has this operation, method and path all at once' })
  })
export type When = z.infer<typeof whenSchema>

/** The operations it can be about. */
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

/** What a rule can meet: a call, or a connection or request to an edge. */
export type Subject = Pick<Call, 'sandbox' | 'sourceIp' | 'clockPlayedAPart'> & {
  entry: Pick<Call['entry'], 'path' | 'rules'>
} & (
    | (Pick<Call, 'operation' | 'caller'> & { edge?: undefined })
    | { edge: string; operation?: undefined; caller?: undefined }
  )

/** What it is about: all of what is written must hold, and any of the values of each. */
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
    const sources = new CidrSet([source_ip].flat().map(toCidr))
    tests.push(call => sources.has(call.sourceIp))
  }
  const edges = edge === undefined ? undefined : new Set([edge].flat())
  const concerns = (subject: Subject) =>
    subject.edge === undefined ? own.has(subject.operation!) : edges?.has(subject.edge) === true
  return subject => concerns(subject) && tests.every(test => test(subject))
}

export const toCidr = (address: string) =>
  address.includes('/') ? address : `${address}/${address.includes(':') ? 128 : 32}`

/** The calls it fires for, counted among those it matches; undefined when it is no range. */
export function readCalls(calls: string | number = '1-'): [from: number, to: number] | undefined {
  const parts = /^([1-9]\d{0,14})(-(\d{0,15}))?$/.exec(String(calls))
  if (!parts) return undefined
  const from = Number(parts[1])
  return [from, parts[2] === undefined ? from : parts[3] === '' ? Number.POSITIVE_INFINITY : Number(parts[3])]
}
