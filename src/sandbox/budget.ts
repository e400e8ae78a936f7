/** Journals, decisions and the changes behind them, of all sandboxes together. */
export const MAX_JOURNAL_BYTES_OF_ALL_SANDBOXES = 64 * 1024 * 1024
export const MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES = 256 * 1024 * 1024

/** A sandbox, as far as the budget of journals knows it. */
export interface JournalHolder {
  /** The size of its journal, its decisions and the changes behind them. */
  readonly journalBytes: number
  /** In milliseconds. */
  lastUsed: number
  clearJournals(): void
}

/** The sum is checked after each growth by this part: to sum up thousands of sandboxes costs more than a request. */
const CHECKED_EVERY = 1 / 8
/** When the budget is exceeded, journals are cleared until the rest take this part. */
const LEFT_AFTER_CLEARING = 3 / 4

/**
 * Bounds the journals of all sandboxes together. Each has its own bounds, but ten thousand of them would fill any
 * memory. When there is too much, the sandboxes that were not used for the longest time lose their journals.
 */
export class JournalBudget {
  #addedSinceCheck = 0
  #warned = false

  constructor(
    readonly maxBytes: number,
    readonly holders: () => Iterable<JournalHolder>,
    readonly warn: (text: string) => void,
    readonly now: () => number,
  ) {}

  /** A sandbox was used, and its journals grew. */
  add(holder: JournalHolder, bytes: number) {
    holder.lastUsed = this.now()
    this.#addedSinceCheck += bytes
    if (this.#addedSinceCheck > this.maxBytes * CHECKED_EVERY) this.#check(holder)
  }

  #check(current: JournalHolder) {
    this.#addedSinceCheck = 0
    const all = [...this.holders()]
    let sum = all.reduce((total, { journalBytes }) => total + journalBytes, 0)
    if (sum <= this.maxBytes * (1 - CHECKED_EVERY)) return
    all.sort((a, b) => a.lastUsed - b.lastUsed)
    let count = 0
    for (const holder of all) {
      if (sum <= this.maxBytes * LEFT_AFTER_CLEARING) break
      if (holder.journalBytes === 0 || holder === current) continue
      sum -= holder.journalBytes
      holder.clearJournals()
      count++
    }
    if (count > 0 && !this.#warned) this.warn(describeCleared(count))
    this.#warned ||= count > 0
  }
}

const describeCleared = (count: number) =>
  `the journals of all sandboxes together reached their limit: cleared those of the ${count === 1 ? 'least recently used sandbox' : `${count} least recently used sandboxes`}. Drop sandboxes that are no longer needed.`

/** Bounds the snapshots of all sandboxes together. None is dropped for another: a new one is refused instead. */
export class SnapshotBudget {
  constructor(
    readonly maxBytes = MAX_SNAPSHOT_BYTES_OF_ALL_SANDBOXES,
    readonly holders: () => Iterable<{ readonly bytes: number }> = () => [],
  ) {}

  bytesOfOthers(own: { readonly bytes: number }): number {
    let bytes = 0
    for (const each of this.holders()) if (each !== own) bytes += each.bytes
    return bytes
  }
}
