import { whyTooLong } from '../../basics/comparisons.ts'
import { memoizeBy } from '../../basics/memoize.ts'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import {
  anyInteger,
  anyObject,
  either,
  integer,
  listOf,
  type Members,
  objectOf,
  oneOf,
  type Shape,
  suchThat,
  textShape,
} from '../../basics/shape.ts'
import type { DeliveryExpectation, DeliveryPattern, Expectation, Pattern } from '../../contract/expectation.ts'
import { MAX_SEQUENCE_STEPS } from '../../contract/lengths.ts'
import type { Api } from '../../engine/api.ts'
import { collectionSchemas, type Json, moduleSchemas, titled } from '../../engine/describe/openapi-schemas.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
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
    anyObject,
    `Conditions by field, such as ${examples}: a value, or an object with contains, matches, absent, gt, gte, lt or lte`,
  )

const statusClass = suchThat<string>(
  'a number, or a class like 4xx',
  value => typeof value === 'string' && /^[1-5]xx$/.test(value),
  { type: 'string', pattern: '^[1-5]xx$' },
)

const pattern = {
  operation: optional(textShape(), 'Operation id'),
  method: optional(textShape()),
  path: optional(textShape(), 'Path (* matches any characters of a segment, ** any segments)'),
  status: optional(either(anyInteger, statusClass)),
  caller: optional(textShape(), 'User, bot or key'),
  where: whereOf('body.description, query.limit, headers.user-agent, response.id'),
  edge: optional(textShape(), 'Edge. With edge, verdict, source_ip or route, the pattern matches edge traffic'),
  verdict: optional(oneOf(['allow', 'refuse'])),
  source_ip: optional(textShape()),
  route: optional(textShape()),
}
const natural = integer({ minimum: 0 })
const times = {
  count: optional(natural, 'Exact number of matches'),
  at_least: optional(natural, 'Minimum number of matches [default: 1]'),
  at_most: optional(natural),
}

const expectationOf = <const P extends Members>(pattern: P) =>
  objectOf({
    ...pattern,
    ...times,
    sequence: optional(
      listOf(objectOf(pattern), MAX_SEQUENCE_STEPS, 1),
      'Patterns that must match in this order. Excludes all other fields',
    ),
  })

export const expectationShape: Shape<Expectation> = expectationOf(pattern)

export const deliveryExpectationShape: Shape<DeliveryExpectation> = expectationOf({
  type: optional(textShape(), 'Event type, such as ip_policy_created.v0'),
  destination: optional(textShape(), 'Event destination id'),
  subscription: optional(textShape(), 'Event subscription id'),
  status: optional(oneOf(DELIVERY_STATUSES), 'Delivery status'),
  where: whereOf('object.description, principal.id'),
})

/** The fields of responses. */
const responseFieldsOf = memoizeBy((api: Api) => {
  const { collections, modules } = api.catalog
  const namesIn = (schemas: Json, name: string) =>
    Object.keys((schemas[titled(name)] as { properties: Json }).properties)
  return new Set([
    ...api.bodyFields,
    ...collections.flatMap(kind => [
      ...namesIn(collectionSchemas(api, kind, {}), kind.name),
      ...(kind.listAs ? [kind.listAs] : []),
    ]),
    ...modules.flatMap(module => namesIn(moduleSchemas(module, {}), module.name)),
  ])
})

const PLACES = ['body', 'query', 'headers', 'response']
const DELIVERY_PLACES = ['object', 'principal', 'account_id', 'event_id', 'event_type', 'event_timestamp']

/** Rejects expectations that match nothing or everything. Returns the steps, or the only one. */
function checkSteps<P extends AnyPattern>({ sequence, ...alone }: AnyExpectation & { sequence?: P[] }): P[] {
  const { count, at_least, at_most } = alone
  if (sequence && Object.values(alone).some(value => value !== undefined))
    reject('"sequence" cannot be combined with other fields. Put the conditions into its steps')
  if (count !== undefined && (at_least !== undefined || at_most !== undefined))
    reject('"count" cannot be combined with "at_least" or "at_most"')
  if (at_least !== undefined && at_most !== undefined && at_least > at_most)
    reject('"at_least" cannot be greater than "at_most"')
  return sequence ?? [alone as P]
}

function checkWhere({ where = {} }: AnyPattern, places: string[]) {
  const patterns = Object.values(where).filter(isRegularExpression).length
  if (patterns > MAX_REGULAR_EXPRESSIONS)
    reject(`"where" can have up to ${MAX_REGULAR_EXPRESSIONS} regular expressions, got ${patterns}`)
  for (const field of Object.keys(where))
    if (!places.includes(field.split('.')[0]!))
      reject(`"${field.slice(0, 80)}" in "where" must start with one of ${places.join(', ')}`)
}

/** Checks an expectation of requests or edge traffic. */
export function checkExpectation(expectation: Expectation, sandbox: Sandbox) {
  const steps = checkSteps<Pattern>(expectation)
  if (steps.some(isAboutTraffic)) return checkTraffic(steps)
  const paths = [...new Set(steps.map(({ path }) => path))].join('')
  const why = whyTooLong(paths, sandbox.journal.size, 'request')
  if (why) reject(`The paths would take too long: ${why}`)
  for (const step of steps) {
    checkPattern(step, sandbox)
    checkWhere(step, PLACES)
    for (const [field, value] of Object.entries(step.where ?? {}))
      if (field.startsWith('response.')) checkResponseField(sandbox.api, field, value)
  }
}

export function checkDeliveryExpectation(api: Api, expectation: DeliveryExpectation) {
  for (const step of checkSteps<DeliveryPattern>(expectation)) {
    if (step.type !== undefined) checkEventType(api, step.type)
    checkWhere(step, DELIVERY_PLACES)
  }
}

/** Whether the pattern matches edge traffic instead of API calls. */
export const isAboutTraffic = ({ edge, verdict, source_ip, route }: Pattern) =>
  [edge, verdict, source_ip, route].some(given => given !== undefined)

function checkTraffic(steps: Pattern[]) {
  for (const step of steps) {
    if (!isAboutTraffic(step))
      reject('Either all or no steps of a sequence can match edge traffic. Set "edge" in each step')
    const { operation, caller, where } = step
    const misplaced = Object.entries({ operation, caller, where }).find(([, given]) => given !== undefined)
    if (misplaced) reject(`"${misplaced[0]}" matches API calls and cannot be combined with "edge"`)
  }
}

function checkResponseField(api: Api, field: string, value: unknown) {
  const [, name] = field.split('.') as [string, string]
  // A response field "status" is always a string.
  if (name === 'status' && typeof value === 'number')
    reject('To match the response status, use "status" outside of "where"')
  if (responseFieldsOf(api).has(name)) return
  reject(`Responses have no field ${quoted(name)}.${didYouMean(nearest(name, responseFieldsOf(api)))}`)
}
