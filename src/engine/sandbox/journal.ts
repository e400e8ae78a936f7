import { type JournalEntry, MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../../contract/journal-entry.ts'
import type { Failure } from '../api.ts'
import { BoundedLog } from './bounded-log.ts'

/** A stored request, with the seq of the state before it. */
export interface StoredEntry extends JournalEntry {
  /** The URL that the client used. It is the start of uris in the response. */
  readonly baseUrl: string
  /** Increases with every request to the simulator, in any sandbox. */
  readonly arrival: number
  /** In milliseconds. `at` has whole seconds. */
  readonly beganAt: number
  /** The query as sent. A name may occur more than once. */
  readonly search: string
  /** The error in its response, whatever the API's format is. */
  readonly failure: Failure | undefined
  /** The seq of the state when the request arrived. Never less than that of the previous entry. */
  seqOnArrival: number
  /** The seq of the state just before the request changed anything. */
  stateSeq: number
}

/** An open entry, without a duration, has not failed yet. */
const hasFailed = ({ status, duration_ms }: StoredEntry) => duration_ms !== null && (status === null || status >= 400)

/** The requests of a sandbox. */
export class Journal extends BoundedLog<StoredEntry> {
  /** The number of requests with an error or without a response. */
  errors = 0

  constructor() {
    super(MAX_JOURNAL_ENTRIES, MAX_JOURNAL_BYTES)
  }

  open(entry: StoredEntry, stateSeq: number) {
    entry.seqOnArrival = stateSeq
    entry.stateSeq = stateSeq
    this.push(entry, 0)
  }

  /** Completes an entry when its response was sent. */
  close(entry: StoredEntry, bytes: number, stateSeq: number | undefined) {
    if (!this.resize(entry, bytes)) return
    if (hasFailed(entry)) this.errors++
    if (stateSeq !== undefined) entry.stateSeq = stateSeq
  }

  protected override onDrop(entry: StoredEntry) {
    if (hasFailed(entry)) this.errors--
  }

  override dropAll() {
    super.dropAll()
    this.errors = 0
  }

  get(id: string): StoredEntry | undefined {
    return this.newestFirst().find(entry => entry.id === id)
  }

  /** The oldest state that an entry leads back to. */
  get oldestStateSeq(): number {
    return this.oldest?.seqOnArrival ?? Number.POSITIVE_INFINITY
  }
}
