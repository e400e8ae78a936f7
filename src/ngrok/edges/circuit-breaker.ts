import type { Lifetime } from '../../engine/sandbox/index.ts'

/** The stored module. Times are in seconds. */
export interface BreakerSettings {
  tripped_duration: number
  rolling_window: number
  num_buckets: number
  volume_threshold: number
  error_threshold_percentage: number
}

/** Response counts in one bucket of the rolling window: the `slot`th since 1970. */
interface Bucket {
  slot: number
  responses: number
  errors: number
}

/** A request that may be sent to the upstream. */
export interface Admitted {
  /** Records the result; undefined if it is unknown. Returns a sentence about the circuit, or an empty string. */
  recordResult(now: number, isError: boolean | undefined): string
}

/**
 * docs/edges.md: opens when too many responses in the rolling window are errors. After `tripped_duration`, one trial
 * request may reach the upstream. Its response closes the circuit or opens it again.
 */
export class Circuit {
  #buckets: Bucket[] = []
  #trippedAt: number | undefined
  #isTrying = false

  constructor(readonly settings: BreakerSettings) {}

  /** If the circuit is open, returns the time until which it is, or undefined during a trial request. */
  admit(now: number): Admitted | { until: number | undefined } {
    const trippedAt = this.#trippedAt
    if (trippedAt === undefined) return { recordResult: (at, isError) => this.#count(at, isError) }
    const until = trippedAt + this.settings.tripped_duration * 1000
    // The clock may have been set back.
    if (now >= trippedAt && now < until) return { until }
    if (this.#isTrying) return { until: undefined }
    this.#isTrying = true
    return { recordResult: (at, isError) => this.#decide(at, isError) }
  }

  #count(now: number, isError: boolean | undefined): string {
    // The request was sent before the circuit opened.
    if (isError === undefined || this.#trippedAt !== undefined) return ''
    const { rolling_window, num_buckets, volume_threshold, error_threshold_percentage } = this.settings
    const slot = Math.floor((now * num_buckets) / (rolling_window * 1000))
    this.#buckets = this.#buckets.filter(each => each.slot <= slot && each.slot > slot - num_buckets)
    if (this.#buckets.at(-1)?.slot !== slot) this.#buckets.push({ slot, responses: 0, errors: 0 })
    const bucket = this.#buckets.at(-1)!
    bucket.responses++
    if (isError) bucket.errors++
    const responses = this.#buckets.reduce((sum, each) => sum + each.responses, 0)
    const errors = this.#buckets.reduce((sum, each) => sum + each.errors, 0)
    if (responses < volume_threshold || errors / responses < error_threshold_percentage) return ''
    this.#trip(now)
    return `The circuit breaker opened: ${errors} of ${responses} responses in ${rolling_window} seconds were errors.`
  }

  #decide(now: number, isError: boolean | undefined): string {
    this.#isTrying = false
    if (isError === undefined) return ''
    if (isError) {
      this.#trip(now)
      return 'The circuit breaker remains open: the trial request failed.'
    }
    this.#trippedAt = undefined
    return 'The circuit breaker closed: the trial request succeeded.'
  }

  #trip(now: number) {
    this.#trippedAt = now
    this.#buckets = []
  }
}

/** The circuits of a simulator. Resetting the sandbox or changing the module discards them. */
export class Circuits {
  readonly #known = new WeakMap<Lifetime, WeakMap<BreakerSettings, Circuit>>()

  of(lifetime: Lifetime, settings: BreakerSettings): Circuit {
    let known = this.#known.get(lifetime)
    if (!known) {
      known = new WeakMap()
      this.#known.set(lifetime, known)
    }
    let circuit = known.get(settings)
    if (!circuit) {
      circuit = new Circuit(settings)
      known.set(settings, circuit)
    }
    return circuit
  }
}
