/** A stored record, with the field names of the API. Never changed in place. */
export type Row = Readonly<{ id: string; created_at?: string } & Record<string, unknown>>

/** One step of a change: creates, updates or deletes a record. */
export interface Op {
  table: string
  id: string
  before: Row | null
  after: Row | null
  /** The order number of a record that returns to its earlier position. */
  order?: number
}

/** The reason for a response. */
export interface Explanation {
  /** The deciding check. */
  decided_by: string
  /** The section of docs/api.md. */
  section: string
  text: string
  nearest: string | null
}

/** Per sandbox. */
export const MAX_JOURNAL_ENTRIES = 1000
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024
/** A function, because the first use of a locale takes 20 ms at startup. */
export const journalLimit = () =>
  `a journal stores the last ${MAX_JOURNAL_ENTRIES.toLocaleString('en')} requests, up to ${MAX_JOURNAL_BYTES / 1024 ** 2} MB`

/** A request in the journal, as shown to users. */
export interface JournalEntry<Operation extends string = string, Assumption extends string = string> {
  id: string
  seq: number
  at: string
  sandbox: string
  /** Null if no route matched. */
  operation: Operation | null
  method: string
  path: string
  query: Record<string, string>
  /** Null if no response was sent. */
  status: number | null
  duration_ms: number | null
  source_ip: string
  caller: { id: string; key_id: string } | null
  /**
   * A body that is not a JSON object is a string, in base64 if it is not text. `text` is the original JSON, if it
   * differs from JSON.stringify's output and has no secrets. `search` is the original query with its question mark, if
   * `query` cannot represent it, such as a repeated name.
   */
  request: { headers: Record<string, string>; body: unknown; text?: string; encoding?: 'base64'; search?: string }
  response: { headers: Record<string, string>; body: unknown } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: Assumption; value: string }[]
  warnings: string[]
  change: { seq: number; ops: readonly Op[] } | null
  explanation: Explanation | null
}

/** A request in an event. */
export type EventEntry = Omit<JournalEntry, 'request' | 'response' | 'change'> & {
  change: { seq: number } | null
  /** The seq of the oldest request in the journal. */
  oldest_seq: number
}

/** A request in a list that is filled from events, which lack some fields. */
export type ListedEntry = Omit<EventEntry, 'change' | 'oldest_seq'> &
  Partial<Pick<JournalEntry, 'request' | 'response'>> & { change: { seq: number; ops?: readonly Op[] } | null }
