import type { Decision } from '../contract/traffic.ts'

export const MOST = 1000
const MOST_BYTES = 4 * 1024 * 1024
/** Of a decision without the parts that are counted. */
const OTHER_BYTES = 1024

/** The latest decisions of a sandbox. */
export class Decisions {
  /** Oldest first. */
  #kept = new Map<Decision, number>()
  #bytes = 0
  #seq = 0

  /** Gives it its id. */
  add(decision: Decision): Decision {
    decision.seq = ++this.#seq
    decision.id = `tr_${decision.seq}`
    const size = sizeOf(decision)
    this.#kept.set(decision, size)
    this.#bytes += size
    for (const [oldest, bytes] of this.#kept) {
      if (this.#kept.size <= MOST && this.#bytes <= MOST_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
    return decision
  }

  newestFirst(): Decision[] {
    return [...this.#kept.keys()].reverse()
  }

  get bytes() {
    return this.#bytes
  }

  /** How many were dropped because there were too many. */
  get dropped(): number {
    return this.#seq - this.#kept.size
  }

  /** Drops all of them, as if there were too many. */
  forget() {
    this.#kept.clear()
    this.#bytes = 0
  }
}

/** Roughly what it holds. */
function sizeOf({ path, explanation, headers }: Decision): number {
  let bytes = OTHER_BYTES + (path?.length ?? 0) + explanation.text.length
  for (const [name, value] of Object.entries(headers?.added ?? {})) bytes += name.length + value.length
  for (const name of headers?.removed ?? []) bytes += name.length
  return bytes
}
