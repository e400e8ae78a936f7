import type { Change } from './change.ts'
import type { Tables } from './tables.ts'

interface Step {
  change: Change
  /** When the change swapped the base: the tables as they were, kept whole. */
  previous?: Tables
  /** On the sandbox's clock, in milliseconds. */
  madeAt: number
}

const MOST_STEPS = 10_000

/** The latest changes, so that they can be undone. Kept as long as the journal can ask for them. */
export class History {
  #steps: Step[] = []

  push(step: Step, oldestAskedFor: number) {
    this.#steps.push(step)
    let drop = Math.max(0, this.#steps.length - MOST_STEPS)
    while (drop < this.#steps.length && this.#steps[drop]!.change.seq <= oldestAskedFor) drop++
    // Dropped in bunches: shifting one at a time would move the rest every time.
    if (drop > 256 || drop === this.#steps.length) this.#steps.splice(0, drop)
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

  clear() {
    this.#steps = []
  }
}
