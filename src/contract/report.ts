import * as z from 'zod'

const count = z.int().min(0)
const ms = z.number().min(0).nullable()
/** Objects may get more members in a later version. */
const object = z.looseObject

/** What a run touched. Its JSON Schema is report.schema.json, made from this. */
export const reportSchema = object({
  version: z.string().describe('The version of edgesim.'),
  started_at: z.string().describe('When the simulator was started, in UTC.'),
  exit_code: z.int().optional().describe('That of the command; only of edgesim exec.'),
  requests: count.describe('Requests to the API.'),
  no_route: count.describe('Of these, requests whose path or method no operation has.'),
  sandboxes: count.describe('Sandboxes there have been, with the default one.'),
  coverage: object({
    called: count,
    of: count,
    percent: z.number().min(0).max(100),
    required: z.number().optional().describe('The value of --fail-under.'),
  }).describe('How many of the operations that should be called were called: those of --operations, or all.'),
  operations: z
    .array(
      object({
        operation: z.string(),
        calls: count,
        statuses: z.record(z.string(), count).describe('Calls by status; none where no answer was sent.'),
        p50_ms: ms.describe('Half of the calls took no longer; exact to 2 percent.'),
        p95_ms: ms,
      }),
    )
    .describe('Operations that were called, those called most first.'),
  not_called: z.array(z.string()).describe('Operations that should be called, and never were.'),
  errors: z
    .array(object({ code: z.string(), count }))
    .describe('Codes of errors in answers, or their statuses if they have none; those met most first.'),
  assumptions: z
    .array(
      object({
        name: z.string(),
        value: z.string(),
        requests: count,
        matters: z
          .array(z.string())
          .optional()
          .describe('With --vary: the values under which the command exits otherwise.'),
      }),
    )
    .describe('Assumptions that answers depended on, and how many.'),
  rules: z
    .array(object({ scenario: z.string(), name: z.string(), matched: count, fired: count }))
    .describe('Rules of the scenarios that were in use, in all sandboxes.'),
  deliveries: z.record(z.string(), count).describe('Events for destinations, by what became of them.'),
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
    .describe('The ten requests that took longest, with all that held them up.'),
})

export type Report = z.infer<typeof reportSchema>
