import type { Entry } from '../contract/journal-entry.ts'

/** A request in the journal: what is shown of it, its size, and the way back to the state before it. */
export interface Recorded extends Entry {
  /** The address that the client used, which uris in the answer start with. */
  readonly baseUrl: string
  /** Grows with every request to the simulator, whichever sandbox it is to. */
  readonly arrival: number
  /** In milliseconds; `at` has whole seconds. */
  readonly beganAt: number
  /** The query as it was sent: a name may be in it more than once. */
  readonly search: string
  bytes: number
  /** The seq of the state when the request arrived; never less than that of the entry before. */
  seqOnArrival: number
  /** The seq of the state just before the request changed anything. */
  stateSeq: number
}

/** Of one sandbox. */
export const MAX_JOURNAL_ENTRIES = 1000
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024

/** The requests that a sandbox has seen. The oldest are dropped when there are too many or they are too large. */
export class Journal {
  /** Oldest first, with empty places for dropped ones at the start: removing each at once would cost more. */
  #entries: (Recorded | undefined)[] = []
  #emptyPlaces = 0
  #bytes = 0
  #seq = 0
  /** The seq of the last entry when the journal was cleared. */
  #clearedUpTo = 0

  open(entry: Recorded, stateSeq: number) {
    entry.seq = ++this.#seq
    entry.seqOnArrival = stateSeq
    entry.stateSeq = stateSeq
    this.#entries.push(entry)
    this.#evict()
  }

  /** Completes an entry: its size and the seq before its change are known once it is answered. */
  close(entry: Recorded, bytes: number, stateSeq: number | undefined) {
    // It may have been dropped, or the journal cleared.
    if (this.#entries[this.#entries.length - 1 - (this.#seq - entry.seq)] !== entry) return
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    if (stateSeq !== undefined) entry.stateSeq = stateSeq
    this.#evict()
  }

  get(id: string): Recorded | undefined {
    return this.#entries.findLast(entry => entry?.id === id)
  }

  newestFirst(): Recorded[] {
    return (this.#entries.slice(this.#emptyPlaces) as Recorded[]).reverse()
  }

  /** Drops all of them, as if there were too many. */
  dropAll() {
    this.#entries = []
    this.#emptyPlaces = 0
    this.#bytes = 0
  }

  get bytes() {
    return this.#bytes
  }

  get size() {
    return this.#entries.length - this.#emptyPlaces
  }

  /** How many entries were dropped because there were too many. */
  get dropped() {
    return this.#seq - this.#clearedUpTo - this.size
  }

  /** The seq of the oldest entry that is kept. */
  get oldestSeq(): number {
    return this.#seq - this.size + 1
  }

  /** No entry leads back to a state before this one. */
  get oldestStateSeq(): number {
    return this.#entries[this.#emptyPlaces]?.seqOnArrival ?? Number.POSITIVE_INFINITY
  }

  clear() {
    this.#clearedUpTo = this.#seq
    this.dropAll()
  }

  #evict() {
    while (this.size > 1 && (this.size > MAX_JOURNAL_ENTRIES || this.#bytes > MAX_JOURNAL_BYTES)) {
      this.#bytes -= this.#entries[this.#emptyPlaces]!.bytes
      this.#entries[this.#emptyPlaces++] = undefined
    }
    if (this.#emptyPlaces <= MAX_JOURNAL_ENTRIES) return
    this.#entries = this.#entries.slice(this.#emptyPlaces)
    this.#emptyPlaces = 0
  }
}
