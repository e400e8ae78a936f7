import { STATUS_CODES } from 'node:http'
import type { Entry } from '../../contract/journal-entry.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import { faultKinds } from '../../scenarios/faults/index.ts'
import { RATE_LIMIT } from '../../scenarios/rate-limit.ts'
import { LATENCY, RuleHit } from '../../scenarios/rule-set.ts'

/** In seconds: most answers take less than a thousandth of one, and a rule can hold them up for long. */
export const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is known of the requests of one operation. */
class Tally {
  requests = 0
  /** Of all of them together. */
  seconds = 0
  /** By the lowest bound that they kept to; the last is for those that kept to none. */
  readonly within = new Array<number>(BOUNDS.length + 1).fill(0)
  readonly statuses = new Map<number | null, number>()

  add({ status, duration_ms }: Entry) {
    const seconds = (duration_ms ?? 0) / 1000
    let bound = 0
    while (seconds > BOUNDS[bound]!) bound++
    this.requests++
    this.seconds += seconds
    this.within[bound]!++
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}

/**
 * Counts what happens, in plain numbers: each request comes by here, and prom-client would look labels and bounds up by
 * their texts. Whatever a client sends, there are only so many of them: no path, no name is among them.
 */
export class Counts {
  /** By operation, `none` where no route matched. */
  readonly requests = new Map<string, Tally>()
  /** By what the rule did; all of them from the beginning, since who looks for an increase would miss the first. */
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

/** A scenario may answer with a status that nobody has named. */
export const statusLabel = (status: number | null) =>
  status === null ? 'none' : Object.hasOwn(STATUS_CODES, status) ? String(status) : 'other'
