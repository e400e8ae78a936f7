import type { Heard } from '../../../support/raw-http.ts'
import type { Sent } from './wire.ts'

export class Report {
  readonly routes = new Set<string>()
  readonly #counts: Record<string, number> = {}

  note(sent: Sent[], { replies }: Heard) {
    for (const [i, { area }] of sent.entries()) {
      const kind = `${area} ${String(replies[i]?.status ?? 'none').replace(/\d\d$/, 'xx')}`
      this.#counts[kind] = (this.#counts[kind] ?? 0) + 1
    }
  }

  #sum(kinds: RegExp) {
    const chosen = Object.entries(this.#counts).filter(([kind]) => kinds.test(kind))
    return chosen.reduce((sum, [, count]) => sum + count, 0)
  }

  get shareOfSuccess() {
    return this.#sum(/^(api|db|control) 2xx/) / Math.max(1, this.#sum(/^(api|db|control)/))
  }

  toString() {
    const counts = Object.entries(this.#counts).map(([kind, count]) => `${count} ${kind}`)
    return `${this.#sum(/./)} requests to ${this.routes.size} routes: ${counts.sort().join(', ')}`
  }
}
