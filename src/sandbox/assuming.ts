import { type Assumed, type AssumptionName, type AssumptionValue, defaultOf } from '../contract/assumptions.ts'

/** Something that depends on assumptions, and notes on which: a call, or a decision about traffic. */
export class Assuming {
  readonly #inForce: Assumed
  #noted: Map<AssumptionName, string> | undefined

  /** The assumptions in force when it began. */
  constructor(inForce: Assumed) {
    this.#inForce = inForce
  }

  /** The value of an assumption. It is noted, so that the explanation can name it. */
  assume<N extends AssumptionName>(name: N): AssumptionValue<N> {
    const value = this.assumed(name)
    this.#noted ??= new Map()
    this.#noted.set(name, value)
    return value
  }

  /** The same, not noted: for assumptions that nearly every answer depends on. */
  assumed<N extends AssumptionName>(name: N): AssumptionValue<N> {
    return this.#inForce[name] ?? defaultOf(name)
  }

  /** Those that were noted. */
  get assumptions() {
    return this.#noted ? Array.from(this.#noted, ([name, value]) => ({ name, value })) : []
  }
}
