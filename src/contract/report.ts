import {
  anyInteger,
  anyNumber,
  either,
  integer,
  listOf,
  type Members,
  mapOf,
  nothing,
  number,
  objectOf,
  type Shape,
  textShape,
  type Valid,
  withJson,
} from '../basics/shape.ts'
import { MAX_ERROR_MESSAGE } from './lengths.ts'

/** A field that is always there. */
const always = <T>(shape: Shape<T>, describe?: string) => ({ shape, describe, required: true }) as const
/** Later versions may add fields to objects. */
const object = <const M extends Members>(members: M) => withJson(objectOf(members), { additionalProperties: true })

const text = textShape()
const count = integer({ minimum: 0 })
const ms = either(number({ minimum: 0 }), nothing)

const coverage = object({
  called: always(count),
  of: always(count),
  percent: always(number({ minimum: 0, maximum: 100 })),
  required: { shape: anyNumber, describe: 'The value of --fail-under.' },
})

const operation = object({
  operation: always(text),
  calls: always(count),
  statuses: always(mapOf(count), 'Calls by status, or none if no response was sent.'),
  p50_ms: always(ms, 'Median duration, accurate to 2 percent.'),
  p95_ms: always(ms),
})

const error = object({
  code: always(text),
  count: always(count),
  message: always(text, `First sentence of the latest message, up to ${MAX_ERROR_MESSAGE} characters.`),
})

const assumption = object({
  name: always(text),
  value: always(text),
  requests: always(count),
  matters: { shape: listOf(text), describe: 'With --vary: the values that change the exit code.' },
})

const rule = object({ scenario: always(text), name: always(text), matched: always(count), fired: always(count) })

const slow = object({
  id: always(text),
  sandbox: always(text),
  operation: always(either(text, nothing)),
  method: always(text),
  path: always(text),
  status: always(either(anyInteger, nothing)),
  duration_ms: always(anyNumber),
})

/** The coverage report of a run. report.schema.json is generated from this. */
export const reportShape = object({
  version: always(text, 'The edgesim version.'),
  started_at: always(text, 'When the simulator started, in UTC.'),
  exit_code: { shape: anyInteger, describe: 'Exit code of the command. Only for edgesim exec.' },
  requests: always(count, 'Requests to the API.'),
  no_route: always(count, 'Requests that match no operation by path and method.'),
  sandboxes: always(count, 'Sandboxes created, including the default sandbox.'),
  coverage: always(coverage, 'Operations called, of the operations in --operations or all.'),
  operations: always(listOf(operation), 'Called operations, most called first.'),
  not_called: always(listOf(text), 'Operations of the coverage that were not called.'),
  errors: always(
    listOf(error),
    'Error codes in responses, or statuses for errors without a code, most frequent first.',
  ),
  assumptions: always(listOf(assumption), 'Assumptions that responses depended on, with request counts.'),
  rules: always(listOf(rule), 'Rules of the active scenarios in all sandboxes.'),
  deliveries: always(mapOf(count), 'Events for destinations, by outcome.'),
  slowest: always(listOf(slow), 'The ten slowest requests, including injected delays.'),
})

export type Report = Valid<typeof reportShape>
