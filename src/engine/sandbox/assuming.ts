import { type Assumed, type AssumptionName, type AssumptionValue, defaultOf } from '../../ngrok/questions.ts'

/** Records the assumptions that a call or a traffic decision depends on. */
export class Assuming {
  readonly #active: Assumed
  #recorded: Map<AssumptionName, string> | undefined

  /** The assumptions that were active when it started. */
  constructor(active: Assumed) {
    this.#active = active
  }

  /** The value of an assumption. It is recorded for the explanation. */
  assume<N extends AssumptionName>(name: N): AssumptionValue<N> {
    const value = this.assumed(name)
    this.#recorded ??= new Map()
    this.#recorded.set(name, value)
    return value
  }

  /** The same without recording it, for assumptions that affect nearly every response. */
  assumed<N extends AssumptionName>(name: N): AssumptionValue<N> {
    return this.#active[name] ?? defaultOf(name)
  }

  /** The recorded assumptions. */
  get assumptions() {
    return this.#recorded ? Array.from(this.#recorded, ([name, value]) => ({ name, value })) : []
  }
}
