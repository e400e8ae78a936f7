import type { Lifetime } from '../sandbox/index.ts'

/** The module, as it is stored. Times are in seconds. */
export interface BreakerSettings {
  tripped_duration: number
  rolling_window: number
  num_buckets: number
  volume_threshold: number
  error_threshold_percentage: number
}

/** What was answered in a part of the rolling window: the `slot`th since 1970. */
interface Bucket {
  slot: number
  responses: number
  errors: number
}

/** A request that may go to the upstream. */
export interface Admitted {
  /** Says how it ended; undefined if nobody knows. Returns what follows from that in a sentence, or nothing. */
  recordResult(now: number, isError: boolean | undefined): string
}

/**
 * docs/edges.md: opens when too many answers of the rolling window are errors. When its time is over, one request may
 * try the upstream: its answer closes it, or opens it for another time.
 */
export class Circuit {
  #buckets: Bucket[] = []
  #trippedAt: number | undefined
  #isTrying = false

  constructor(readonly settings: BreakerSettings) {}

  /** Or why the request must not go to the upstream: a time until which none may, or another that is trying it. */
  admit(now: number): Admitted | { until: number | undefined } {
    const trippedAt = this.#trippedAt
    if (trippedAt === undefined) return { recordResult: (at, isError) => this.#count(at, isError) }
    const until = trippedAt + this.settings.tripped_duration * 1000
    // The clock may have been put back.
    if (now >= trippedAt && now < until) return { until }
    if (this.#isTrying) return { until: undefined }
    this.#isTrying = true
    return { recordResult: (at, isError) => this.#decide(at, isError) }
  }

  #count(now: number, isError: boolean | undefined): string {
    // One that was sent before the circuit opened says nothing new.
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
    return `The circuit breaker opens: ${errors} of ${responses} answers in ${rolling_window} seconds were errors.`
  }

  #decide(now: number, isError: boolean | undefined): string {
    this.#isTrying = false
    if (isError === undefined) return ''
    if (isError) {
      this.#trip(now)
      return 'The circuit breaker stays open: this request tried the upstream.'
    }
    this.#trippedAt = undefined
    return 'The circuit breaker closes: this request tried the upstream.'
  }

  #trip(now: number) {
    this.#trippedAt = now
    this.#buckets = []
  }
}

/** The circuits of a simulator. A reset of their sandbox, and any change of their module, forgets them. */
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
