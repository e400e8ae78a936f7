import { type JournalEntry, MAX_JOURNAL_BYTES, MAX_JOURNAL_ENTRIES } from '../contract/journal-entry.ts'
import { BoundedLog } from './bounded-log.ts'

/** A request as the journal keeps it: also with the way back to the state before it. */
export interface KeptEntry extends JournalEntry {
  /** The address that the client used, which uris in the answer start with. */
  readonly baseUrl: string
  /** Grows with every request to the simulator, whichever sandbox it is to. */
  readonly arrival: number
  /** In milliseconds; `at` has whole seconds. */
  readonly beganAt: number
  /** The query as it was sent: a name may be in it more than once. */
  readonly search: string
  /** The seq of the state when the request arrived; never less than that of the entry before. */
  seqOnArrival: number
  /** The seq of the state just before the request changed anything. */
  stateSeq: number
}

/** The requests that a sandbox has seen. */
export class Journal extends BoundedLog<KeptEntry> {
  constructor() {
    super(MAX_JOURNAL_ENTRIES, MAX_JOURNAL_BYTES)
  }

  open(entry: KeptEntry, stateSeq: number) {
    entry.seqOnArrival = stateSeq
    entry.stateSeq = stateSeq
    this.push(entry, 0)
  }

  /** Completes an entry: its size and the seq before its change are known once it is answered. */
  close(entry: KeptEntry, bytes: number, stateSeq: number | undefined) {
    if (this.resize(entry, bytes) && stateSeq !== undefined) entry.stateSeq = stateSeq
  }

  get(id: string): KeptEntry | undefined {
    return this.newestFirst().find(entry => entry.id === id)
  }

  /** No entry leads back to a state before this one. */
  get oldestStateSeq(): number {
    return this.oldest?.seqOnArrival ?? Number.POSITIVE_INFINITY
  }
}
