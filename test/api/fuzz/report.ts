import type { Heard } from '../../support/raw-http.ts'
import type { Sent } from './wire.ts'

/** What was tried. */
export class Report {
  readonly byArea: Record<string, Record<string, number>> = {}
  readonly routes = new Set<string>()
  slowest = { ms: 0, what: '' }
  sent = 0
  states = 0

  note(sent: Sent[], { replies }: Heard, ms: number) {
    this.sent += sent.length
    if (ms > this.slowest.ms) this.slowest = { ms, what: sent.map(each => `${each.method} ${each.target}`).join(', ') }
    for (const [i, { area }] of sent.entries()) {
      const status = replies[i]?.status
      const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
      this.byArea[area] ??= {}
      this.byArea[area][kind] = (this.byArea[area][kind] ?? 0) + 1
    }
  }

  /** The share of successes among the answers of the API and the control plane. */
  get shareOfSuccess() {
    const counts = ['api', 'db', 'control'].map(area => this.byArea[area] ?? {})
    const all = counts.flatMap(each => Object.values(each)).reduce((sum, each) => sum + each, 0)
    return counts.reduce((sum, each) => sum + (each['2xx'] ?? 0), 0) / Math.max(1, all)
  }

  toString() {
    const areas = Object.entries(this.byArea).map(([area, counts]) => {
      const kinds = Object.entries(counts).sort()
      return `  ${area}: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}`
    })
    const share = `${Math.round(this.shareOfSuccess * 100)} % of those to routes went well`
    const slowest = `slowest ${Math.round(this.slowest.ms)} ms of CPU (${this.slowest.what.slice(0, 150)})`
    return [
      `${this.sent} requests to ${this.routes.size} routes, ${share}, ${this.states} states, ${slowest}`,
      ...areas,
    ].join('\n')
  }
}
