import type { Base } from './base-table.ts'
import { type Change, lengthOf } from './change.ts'
import { Swap } from './swap.ts'
import type { Tables } from './tables.ts'

interface PastChange {
  change: Change
  /** The tables before the change, if it replaced the base. */
  previous?: Tables
  /** On the sandbox's clock, in milliseconds. */
  madeAt: number
}

export const MAX_CHANGES = 10_000
/** In characters of JSON. Limits the memory of states that were replaced as a whole. */
export const MAX_CHANGES_LENGTH = 16 * 1024 * 1024

/** The latest changes, so that they can be undone. A change is dropped when neither the journal nor a rule needs it. */
export class History {
  /** Each with the length of what is held for it. */
  #changes: (PastChange & { length: number })[] = []
  #length = 0
  /** The base of the latest `previous`. Other tables over the same base hold no more than their changes. */
  #base: Base | undefined
  #knownSince = Number.NEGATIVE_INFINITY

  /** `needed` is the oldest state that may still be asked for: after that change, or at that time. */
  push(past: PastChange, needed: { seq: number; time: number }) {
    const { change, previous } = past
    const baseLength = previous && previous.base !== this.#base ? lengthOfBase(previous.base) : 0
    const length = lengthOf(change) + baseLength
    this.#changes.push({ ...past, length })
    this.#length += length
    if (previous) this.#base = previous.base
    let drop = Math.max(0, this.#changes.length - MAX_CHANGES)
    while (drop < this.#changes.length && isBefore(this.#changes[drop]!, needed)) drop++
    // Dropped in batches: each removal moves the rest of the list.
    if (drop > 256 || drop === this.#changes.length) this.#drop(drop)
    while (this.#length > MAX_CHANGES_LENGTH && this.#changes.length > 1) this.#drop(1)
  }

  /** About how many bytes it holds. */
  get bytes() {
    return this.#length
  }

  /** Drops all changes: earlier states are no longer known. */
  clear() {
    this.#drop(this.#changes.length)
  }

  #drop(count: number) {
    for (const { length, madeAt } of this.#changes.splice(0, count)) {
      this.#length -= length
      this.#knownSince = madeAt
    }
  }

  /** The state before that time is unknown: the changes that led to it were dropped. */
  get knownSince(): number {
    return this.#knownSince
  }

  /** The seq of the oldest state that is still known. */
  reachesBackTo(current: number): number {
    return (this.#changes[0]?.change.seq ?? current + 1) - 1
  }

  get changes(): readonly Change[] {
    return this.#changes.map(past => past.change)
  }

  /** The tables after the latest change for which `keep` returns true. */
  before(tables: Tables, keep: (change: Change, madeAt: number) => boolean): Tables {
    let state = tables.copy()
    for (const { change, previous, madeAt } of this.#changes.toReversed()) {
      if (keep(change, madeAt)) break
      if (previous) state = previous.copy()
      else state.undo(change.ops)
    }
    return state
  }

  /** Removes that change and those after it, which were undone. */
  forget(seq: number) {
    while ((this.#changes.at(-1)?.change.seq ?? 0) >= seq) this.#length -= this.#changes.pop()!.length
  }

  /** The change that deleted a record. */
  removalOf(id: string): Change | undefined {
    const removes = (change: Change) =>
      change instanceof Swap ? change.removes(id) : change.ops.some(op => op.id === id && op.after === null)
    return this.#changes.findLast(({ change }) => removes(change))?.change
  }
}

const isBefore = ({ change, madeAt }: PastChange, { seq, time }: { seq: number; time: number }) =>
  change.seq <= seq && madeAt <= time

/** About how long all its rows are as JSON. */
export const lengthOfBase = (base: Base) => Object.values(base).reduce((sum, { length }) => sum + length, 0)
