import type { AssumptionName } from './assumptions.ts'
import type { OperationName } from './shapes.ts'

/** A stored record, in the words of the wire. Never changed in place. */
export type Row = Readonly<{ id: string; created_at?: string } & Record<string, unknown>>

/** One step of a change: a record is made, changed or deleted. */
export interface Op {
  table: string
  id: string
  before: Row | null
  after: Row | null
  /** The id had been deleted before: it comes back as the newest. */
  again?: true
}

/** Why an answer is what it is. */
export interface Explanation {
  /** The check or step that decided the answer. */
  decided_by: string
  /** The section of docs/api.md behind it. */
  section: string
  text: string
  nearest: string | null
}

/** What the journal shows of a request. */
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
  /** A body that is no JSON object is the text that came, in base64 where it is none. */
  request: { headers: Record<string, string>; body: unknown; encoding?: 'base64' }
  response: { headers: Record<string, string>; body: unknown } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: AssumptionName; value: string }[]
  warnings: string[]
  change: { seq: number; ops: readonly Op[] } | null
  explanation: Explanation | null
}
