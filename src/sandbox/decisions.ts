import type { Decision } from '../contract/traffic.ts'

/** Of one sandbox. */
export const MAX_DECISIONS = 1000
const MAX_DECISION_BYTES = 4 * 1024 * 1024
/** The parts of a decision whose length is not counted. */
const OTHER_BYTES = 1024

/** The latest decisions about the traffic of a sandbox's edges. */
export class Decisions {
  /** Their sizes, oldest first. */
  #sizes = new Map<Decision, number>()
  #bytes = 0
  #seq = 0

  /** Gives the decision its id. */
  add(decision: Decision): Decision {
    decision.seq = ++this.#seq
    decision.id = `tr_${decision.seq}`
    const size = sizeOf(decision)
    this.#sizes.set(decision, size)
    this.#bytes += size
    for (const [oldest, bytes] of this.#sizes) {
      if (this.#sizes.size <= MAX_DECISIONS && this.#bytes <= MAX_DECISION_BYTES) break
      this.#sizes.delete(oldest)
      this.#bytes -= bytes
    }
    return decision
  }

  newestFirst(): Decision[] {
    return [...this.#sizes.keys()].reverse()
  }

  get bytes() {
    return this.#bytes
  }

  /** How many were dropped because there were too many. */
  get dropped(): number {
    return this.#seq - this.#sizes.size
  }

  /** Drops all of them, as if there were too many. */
  dropAll() {
    this.#sizes.clear()
    this.#bytes = 0
  }
}

/** Roughly what it takes. */
function sizeOf({ path, explanation, headers }: Decision): number {
  let bytes = OTHER_BYTES + (path?.length ?? 0) + explanation.text.length
  for (const [name, value] of Object.entries(headers?.added ?? {})) bytes += name.length + value.length
  for (const name of headers?.removed ?? []) bytes += name.length
  return bytes
}
