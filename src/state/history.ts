import type { Base } from './base-table.ts'
import { type Change, lengthOf } from './change.ts'
import { Swap } from './swap.ts'
import type { Tables } from './tables.ts'

interface Step {
  change: Change
  /** When the change swapped the base: the tables as they were, kept whole. */
  previous?: Tables
  /** On the sandbox's clock, in milliseconds. */
  madeAt: number
}

export const MOST_STEPS = 10_000
/** Characters of JSON. Whole states that are laid over one another, time and again, must not pile up. */
export const MOST_LENGTH = 16 * 1024 * 1024

/** The latest changes, so that they can be undone. Kept as long as the journal or a rule can ask for them. */
export class History {
  /** Each with the length of what is kept for its sake. */
  #steps: (Step & { length: number })[] = []
  #length = 0
  /** Of the latest tables that are kept whole: others made of it cost no more than what they changed. */
  #base: Base | undefined
  #knownSince = Number.NEGATIVE_INFINITY

  /** `needed` is what somebody may still ask for: the state after that change, or at that time. */
  push(step: Step, needed: { seq: number; time: number }) {
    const { change, previous } = step
    const whole = previous && previous.base !== this.#base ? lengthOfBase(previous.base) : 0
    const length = lengthOf(change) + whole
    this.#steps.push({ ...step, length })
    this.#length += length
    if (previous) this.#base = previous.base
    let drop = Math.max(0, this.#steps.length - MOST_STEPS)
    while (drop < this.#steps.length && isBefore(this.#steps[drop]!, needed)) drop++
    // Dropped in bunches: shifting one at a time would move the rest every time.
    if (drop > 256 || drop === this.#steps.length) this.#drop(drop)
    while (this.#length > MOST_LENGTH && this.#steps.length > 1) this.#drop(1)
  }

  /** About how many bytes it keeps. */
  get bytes() {
    return this.#length
  }

  /** Nothing before this can be asked for any more. */
  clear() {
    this.#drop(this.#steps.length)
  }

  #drop(count: number) {
    for (const { length, madeAt } of this.#steps.splice(0, count)) {
      this.#length -= length
      this.#knownSince = madeAt
    }
  }

  /** The state before that time is not known: changes that led to it were dropped. */
  get knownSince(): number {
    return this.#knownSince
  }

  /** The seq of the state before the oldest change that is still known. */
  reachesBackTo(current: number): number {
    return (this.#steps[0]?.change.seq ?? current + 1) - 1
  }

  get changes(): readonly Change[] {
    return this.#steps.map(step => step.change)
  }

  /** The tables as they were after the last change for which `keep` says yes, newest looked at first. */
  before(tables: Tables, keep: (change: Change, madeAt: number) => boolean): Tables {
    let state = tables.copy()
    for (const { change, previous, madeAt } of this.#steps.toReversed()) {
      if (keep(change, madeAt)) break
      if (previous) state = previous.copy()
      else state.undo(change.ops)
    }
    return state
  }

  /** That change and those after it were never made. */
  forget(seq: number) {
    while ((this.#steps.at(-1)?.change.seq ?? 0) >= seq) this.#length -= this.#steps.pop()!.length
  }

  /** The change that took a record away. */
  removalOf(id: string): Change | undefined {
    const removes = (change: Change) =>
      change instanceof Swap ? change.removes(id) : change.ops.some(op => op.id === id && op.after === null)
    return this.#steps.findLast(({ change }) => removes(change))?.change
  }
}

const isBefore = ({ change, madeAt }: Step, { seq, time }: { seq: number; time: number }) =>
  change.seq <= seq && madeAt <= time

/** About how long all rows of it are as JSON. */
export const lengthOfBase = (base: Base) => Object.values(base).reduce((sum, { length }) => sum + length, 0)
