import { STATUS_CODES } from 'node:http'
import type { Entry } from '../../contract/journal-entry.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import { faultKinds } from '../../scenarios/faults/index.ts'
import { RATE_LIMIT } from '../../scenarios/rate-limit.ts'
import { LATENCY, RuleHit } from '../../scenarios/rule-set.ts'

/** Upper bounds of the histogram, in seconds: most answers take less than 1 ms, delayed ones far longer. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The requests of one operation. */
class Tally {
  requests = 0
  /** The sum of their durations. */
  seconds = 0
  /** Requests by bucket; the last is for longer ones. */
  readonly buckets = new Array<number>(BUCKETS.length + 1).fill(0)
  readonly statuses = new Map<number | null, number>()

  add({ status, duration_ms }: Entry) {
    const seconds = (duration_ms ?? 0) / 1000
    let bucket = 0
    while (seconds > BUCKETS[bucket]!) bucket++
    this.requests++
    this.seconds += seconds
    this.buckets[bucket]!++
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/**
 * Counts events as plain numbers: this runs for every request, and prom-client would look up labels by their texts. The
 * number of labels is bounded, because no path and no name is a label.
 */
export class Counts {
  /** By operation; `none` if no route matched. */
  readonly requests = new Map<string, Tally>()
  /** By what the rule did. All start at zero, so that Prometheus sees the first increase. */
  readonly rules = new Map([LATENCY, RATE_LIMIT, ...faultKinds.map(({ type }) => type)].map(kind => [kind, 0]))

  add({ type, data }: SandboxEvent) {
    if (type !== 'request' && type !== 'traffic') return
    if (type === 'request') this.#tallyOf(data.operation ?? 'none').add(data)
    for (const rule of data.rules) {
      const kind = RuleHit.kindOf(rule)
      if (kind !== undefined) this.rules.set(kind, this.rules.get(kind)! + 1)
    }
  }

  #tallyOf(operation: string): Tally {
    let tally = this.requests.get(operation)
    if (!tally) {
      tally = new Tally()
      this.requests.set(operation, tally)
    }
    return tally
  }
}

/** A scenario may answer with any status; those without a name in HTTP share a label. */
export const statusLabel = (status: number | null) =>
  status === null ? 'none' : Object.hasOwn(STATUS_CODES, status) ? String(status) : 'other'
