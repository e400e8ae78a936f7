import type { Entry } from '../contract/journal-entry.ts'

/** What the journal keeps of a request: its entry, and what bounds it and leads back to the state before it. */
export interface Recorded extends Entry {
  /** In milliseconds, of which `at` has whole seconds. */
  readonly beganAt: number
  /** The query as it came: a name may be in it more than once. */
  readonly search: string
  bytes: number
  /** The state's seq when the request arrived; never less than that of the entry before. */
  cameAt: number
  /** The state's seq just before the request did anything. */
  stateSeq: number
}

export const MOST_ENTRIES = 1000
export const MOST_BYTES = 16 * 1024 * 1024

/** The requests a sandbox has seen, the oldest dropped when there are too many or they are too large. */
export class Journal {
  /** Oldest first. Places of dropped ones are empty until there are many: to close up each time would cost more. */
  #kept: (Recorded | undefined)[] = []
  #dropped = 0
  #bytes = 0
  #seq = 0
  /** The last entry that was there when it was emptied. */
  #cleared = 0

  open(entry: Recorded, stateSeq: number) {
    entry.seq = ++this.#seq
    entry.cameAt = stateSeq
    entry.stateSeq = stateSeq
    this.#kept.push(entry)
    this.#evict()
  }

  /** The size of an entry, and the seq before its change, are known once it is answered. */
  close(entry: Recorded, bytes: number, stateSeq: number | undefined) {
    // It may be gone, with the journal or by itself.
    if (this.#kept[this.#kept.length - 1 - (this.#seq - entry.seq)] !== entry) return
    this.#bytes += bytes - entry.bytes
    entry.bytes = bytes
    if (stateSeq !== undefined) entry.stateSeq = stateSeq
    this.#evict()
  }

  get(id: string): Recorded | undefined {
    return this.#kept.findLast(entry => entry?.id === id)
  }

  stateSeqOf(id: string): number | undefined {
    return this.get(id)?.stateSeq
  }

  newestFirst(): Recorded[] {
    return (this.#kept.slice(this.#dropped) as Recorded[]).reverse()
  }

  /** Drops all of them, as if there were too many. */
  forget() {
    this.#kept = []
    this.#dropped = 0
    this.#bytes = 0
  }

  get bytes() {
    return this.#bytes
  }

  get size() {
    return this.#kept.length - this.#dropped
  }

  /** How many entries were dropped because there were too many. */
  get dropped() {
    return this.#seq - this.#cleared - this.size
  }

  /** No entry refers to a change before this one. */
  get oldestStateSeq(): number {
    return this.#kept[this.#dropped]?.cameAt ?? Number.POSITIVE_INFINITY
  }

  clear() {
    this.#cleared = this.#seq
    this.forget()
  }

  #evict() {
    while (this.size > 1 && (this.size > MOST_ENTRIES || this.#bytes > MOST_BYTES)) {
      this.#bytes -= this.#kept[this.#dropped]!.bytes
      this.#kept[this.#dropped++] = undefined
    }
    if (this.#dropped <= MOST_ENTRIES) return
    this.#kept = this.#kept.slice(this.#dropped)
    this.#dropped = 0
  }
}
