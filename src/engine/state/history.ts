import type { Op } from '../../contract/journal-entry.ts'
import type { Base } from './base-table.ts'
import { type Change, Swap } from './change.ts'
import { Tables } from './tables.ts'

interface PastChange {
  change: Change
  /** The ops that undo the change, or the previous state if the change replaced the whole state. */
  back: readonly Op[] | Tables
  /** On the sandbox clock, in milliseconds. */
  changedAt: number
}

export const MAX_CHANGES = 10_000
/** In characters of JSON. Limits the memory of replaced states. */
export const MAX_CHANGES_LENGTH = 16 * 1024 * 1024

/** The latest changes, for undo. A change is dropped when neither the journal nor a rule needs it. */
export class History {
  /** Each with the length of its data. */
  #changes: (PastChange & { length: number })[] = []
  #length = 0
  /** The base of the latest stored state. Other states over the same base only need their changes. */
  #base: Base | undefined
  #knownSince = Number.NEGATIVE_INFINITY

  /** `needed` is the oldest state that may still be needed: after that change, or at that time. */
  push(past: PastChange, needed: { seq: number; time: number }) {
    const { change, back } = past
    const base = back instanceof Tables ? back.base : this.#base
    const length = change.length + (base === this.#base ? 0 : lengthOfBase(base!))
    this.#changes.push({ ...past, length })
    this.#length += length
    this.#base = base
    let drop = Math.max(0, this.#changes.length - MAX_CHANGES)
    while (drop < this.#changes.length && isBefore(this.#changes[drop]!, needed)) drop++
    // Dropped in batches, because each removal moves the rest of the list.
    if (drop > 256 || drop === this.#changes.length) this.#drop(drop)
    while (this.#length > MAX_CHANGES_LENGTH && this.#changes.length > 1) this.#drop(1)
  }

  /** The approximate number of bytes. */
  get bytes() {
    return this.#length
  }

  /** Drops all changes, so earlier states are no longer known. */
  clear() {
    this.#drop(this.#changes.length)
  }

  #drop(count: number) {
    for (const { length, changedAt } of this.#changes.splice(0, count)) {
      this.#length -= length
      this.#knownSince = changedAt
    }
  }

  /** The start of the known history. Changes before that time were dropped. */
  get knownSince(): number {
    return this.#knownSince
  }

  /** The seq of the oldest known state. */
  reachesBackTo(current: number): number {
    return (this.#changes[0]?.change.seq ?? current + 1) - 1
  }

  get changes(): readonly Change[] {
    return this.#changes.map(past => past.change)
  }

  /** The state after the latest change for which `keep` returns true. */
  before(current: Tables, keep: (change: Change, changedAt: number) => boolean): Tables {
    let state = current
    const ops: Op[] = []
    for (const { change, back, changedAt } of this.#changes.toReversed()) {
      if (keep(change, changedAt)) break
      if (back instanceof Tables) {
        state = back
        ops.length = 0
      } else for (const op of back) ops.push(op)
    }
    return state.after(ops)
  }

  /** The change that deleted a record of one of these tables. */
  removalOf(id: string, tables: readonly string[]): Change | undefined {
    const isRemoval = (op: Op) => op.id === id && op.after === null && tables.includes(op.table)
    const removes = (change: Change) =>
      change instanceof Swap ? change.removes(id, tables) : change.ops.some(isRemoval)
    return this.#changes.findLast(({ change }) => removes(change))?.change
  }
}

const isBefore = ({ change, changedAt }: PastChange, { seq, time }: { seq: number; time: number }) =>
  change.seq <= seq && changedAt <= time

/** The approximate length of all its rows as JSON. */
export const lengthOfBase = (base: Base) => Object.values(base.tables).reduce((sum, { length }) => sum + length, 0)
