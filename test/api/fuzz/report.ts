import type { Heard } from '../../support/raw-http.ts'
import type { Sent } from './wire.ts'

interface Failure {
  index: number
  why: string
  sent?: Sent[]
  heard?: Heard
}

/** Stop after this many failures. */
const MOST_FAILURES = Number(process.env.EDGESIM_FUZZ_FAILURES ?? 10)
/** The longest time an answer may take; checked only in a long run, which has the machine to itself. */
export const SLOW_MS = 1_000

/** What was tried, and what was wrong. */
export class Report {
  readonly failures: string[] = []
  readonly byArea: Record<string, Record<string, number>> = {}
  slowest = { ms: 0, what: '' }
  slow = 0
  sent = 0
  states = 0

  constructor(
    readonly name: string,
    readonly seed: number,
  ) {}

  get enough() {
    return this.failures.length >= MOST_FAILURES
  }

  note(sent: Sent[], { replies, ms }: Heard) {
    this.sent += sent.length
    if (ms > this.slowest.ms)
      this.slowest = { ms, what: sent.map(({ method, target }) => `${method} ${target}`.slice(0, 150)).join(', ') }
    if (ms > SLOW_MS) this.slow++
    for (const [i, { area }] of sent.entries()) {
      this.byArea[area] ??= {}
      const status = replies[i]?.status
      const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
      this.byArea[area][kind] = (this.byArea[area][kind] ?? 0) + 1
    }
  }

  /** With all that is needed to repeat it. */
  fail({ index, why, sent = [], heard }: Failure): undefined {
    if (this.enough) return
    const requests = sent.map(
      ({ bytes, end }) => `  sent (${end}): ${JSON.stringify(bytes.toString('latin1').slice(0, 4_000))}`,
    )
    const answers = heard?.replies.map(({ status, text }) => `  answered: ${status} ${text.slice(0, 400)}`) ?? []
    this.failures.push(
      [`EDGESIM_SEED=${this.seed}, ${this.name}, request ${index}: ${why}`, ...requests, ...answers].join('\n'),
    )
  }

  /** The share of successes among the answers of the API and the control plane. */
  get shareOfSuccess() {
    const counts = ['api', 'db', 'control'].map(area => this.byArea[area] ?? {})
    const all = counts.flatMap(each => Object.values(each)).reduce((sum, each) => sum + each, 0)
    return counts.reduce((sum, each) => sum + (each['2xx'] ?? 0), 0) / Math.max(1, all)
  }

  toString() {
    const areas = Object.entries(this.byArea).map(
      ([area, counts]) =>
        `  ${area}: ${Object.entries(counts)
          .sort()
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}`,
    )
    const share = `${Math.round(this.shareOfSuccess * 100)} % of those to routes went well`
    const slowest = `slowest ${Math.round(this.slowest.ms)} ms (${this.slowest.what}), ${this.slow} over ${SLOW_MS} ms`
    return [`${this.name}: ${this.sent} requests, ${share}, ${this.states} states, ${slowest}`, ...areas].join('\n')
  }
}
