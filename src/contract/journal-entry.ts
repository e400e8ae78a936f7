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

/** Of one sandbox. */
export const MAX_JOURNAL_ENTRIES = 1000
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024
/** A function, because the first use of a locale takes 20 ms: a start should not wait for it. */
export const journalKeeps = () =>
  `a journal keeps the latest ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} requests, up to ${MAX_JOURNAL_BYTES / 1024 ** 2} MB`

/** A request in the journal, as users see it. */
export interface JournalEntry {
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

/** What an event tells of a request. */
export type EventEntry = Omit<JournalEntry, 'request' | 'response' | 'change'> & {
  change: { seq: number } | null
  /** The seq of the oldest request that the journal keeps. */
  oldest_seq: number
}

/** A request in a list that is filled by events: it lacks what only the request itself shows. */
export type ListedEntry = Omit<EventEntry, 'change' | 'oldest_seq'> &
  Partial<Pick<JournalEntry, 'request' | 'response'>> & { change: { seq: number; ops?: readonly Op[] } | null }
