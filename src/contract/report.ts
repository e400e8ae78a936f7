import * as z from 'zod'
import { MAX_ERROR_MESSAGE } from './lengths.ts'

const count = z.int().min(0)
const ms = z.number().min(0).nullable()
/** Later versions may add fields to objects. */
const object = z.looseObject

/** The coverage report of a run. report.schema.json is generated from this. */
export const reportSchema = object({
  version: z.string().describe('The edgesim version.'),
  started_at: z.string().describe('When the simulator started, in UTC.'),
  exit_code: z.int().optional().describe('Exit code of the command. Only for edgesim exec.'),
  requests: count.describe('Requests to the API.'),
  no_route: count.describe('Requests that match no operation by path and method.'),
  sandboxes: count.describe('Sandboxes created, including the default sandbox.'),
  coverage: object({
    called: count,
    of: count,
    percent: z.number().min(0).max(100),
    required: z.number().optional().describe('The value of --fail-under.'),
  }).describe('Operations called, of the operations in --operations or all.'),
  operations: z
    .array(
      object({
        operation: z.string(),
        calls: count,
        statuses: z.record(z.string(), count).describe('Calls by status, or none if no response was sent.'),
        p50_ms: ms.describe('Median duration, accurate to 2 percent.'),
        p95_ms: ms,
      }),
    )
    .describe('Called operations, most called first.'),
  not_called: z.array(z.string()).describe('Operations of the coverage that were not called.'),
  errors: z
    .array(
      object({
        code: z.string(),
        count,
        message: z.string().describe(`First sentence of the latest message, up to ${MAX_ERROR_MESSAGE} characters.`),
      }),
    )
    .describe('Error codes in responses, or statuses for errors without a code, most frequent first.'),
  assumptions: z
    .array(
      object({
        name: z.string(),
        value: z.string(),
        requests: count,
        matters: z.array(z.string()).optional().describe('With --vary: the values that change the exit code.'),
      }),
    )
    .describe('Assumptions that responses depended on, with request counts.'),
  rules: z
    .array(object({ scenario: z.string(), name: z.string(), matched: count, fired: count }))
    .describe('Rules of the active scenarios in all sandboxes.'),
  deliveries: z.record(z.string(), count).describe('Events for destinations, by outcome.'),
  slowest: z
    .array(
      object({
        id: z.string(),
        sandbox: z.string(),
        operation: z.string().nullable(),
        method: z.string(),
        path: z.string(),
        status: z.int().nullable(),
        duration_ms: z.number(),
      }),
    )
    .describe('The ten slowest requests, including injected delays.'),
})

export type Report = z.infer<typeof reportSchema>
