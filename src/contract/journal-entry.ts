import type { AssumptionName } from './assumptions.ts'
import type { OperationName } from './shapes.ts'

/** A stored record, with the field names of the API. Never changed in place. */
export type Row = Readonly<{ id: string; created_at?: string } & Record<string, unknown>>

/** One step of a change: a record is created, changed or deleted. */
export interface Op {
  table: string
  id: string
  before: Row | null
  after: Row | null
  /** The order number of a record that comes back to the place that it had. */
  order?: number
}

/** Why an answer is what it is. */
export interface Explanation {
  /** The check that decided the answer. */
  decided_by: string
  /** Of docs/api.md. */
  section: string
  text: string
  nearest: string | null
}

/** A request in the journal. */
export interface Entry {
  id: string
  seq: number
  at: string
  sandbox: string
  /** Null when no route matched. */
  operation: OperationName | null
  method: string
  path: string
  query: Record<string, string>
  /** Null when no answer was sent. */
  status: number | null
  duration_ms: number | null
  source_ip: string
  caller: { id: string; key_id: string } | null
  /**
   * A body that is not a JSON object is shown as text, or in base64 if it is not text. `text` is the JSON as it came,
   * where it is not what JSON.stringify makes of the body and has no secrets. `search` is the query as it came, with
   * its question mark, where it is written otherwise than `query` says: a name may be in it twice.
   */
  request: { headers: Record<string, string>; body: unknown; text?: string; encoding?: 'base64'; search?: string }
  response: { headers: Record<string, string>; body: unknown } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: AssumptionName; value: string }[]
  warnings: string[]
  change: { seq: number; ops: readonly Op[] } | null
  explanation: Explanation | null
}
