import type { AssumptionName } from '../assumptions.ts'
import type { OperationName } from '../shapes.ts'
import type { Op } from '../state/index.ts'

export interface Explanation {
  /** The check or step that decided the answer. */
  decided_by: string
  /** The section of docs/api.md behind it. */
  section: string
  text: string
  nearest: string | null
}

export interface Entry {
  id: string
  seq: number
  at: string
  sandbox: string
  /** Null when no route matched. */
  operation: OperationName | null
  method: string
  path: string
  query: Record<string, string>
  /** Null when no answer was sent. */
  status: number | null
  duration_ms: number | null
  source_ip: string
  caller: { id: string; key_id: string } | null
  request: { headers: Record<string, string>; body: unknown }
  response: { headers: Record<string, string>; body: unknown } | null
  rules: { name: string; fired: boolean; effect: string }[]
  assumptions: { name: AssumptionName; value: string }[]
  warnings: string[]
  change: { seq: number; ops: readonly Op[] } | null
  explanation: Explanation | null
}

const MOST_ENTRIES = 1000
const MOST_BYTES = 16 * 1024 * 1024

interface Remembered {
  entry: Entry
  bytes: number
  /** The state's seq when the request arrived; never less than that of the entry before. */
  cameAt: number
  /** The state's seq just before the request did anything. */
  stateSeq: number
}

/** The requests a sandbox has seen, the oldest dropped when there are too many or they are too large. */
export class Journal {
  readonly #kept = new Map<string, Remembered>()
  #bytes = 0
  #seq = 0
  /** The last entry that was there when it was emptied. */
  #cleared = 0

  open(entry: Entry, stateSeq: number) {
    entry.seq = ++this.#seq
    this.#kept.set(entry.id, { entry, bytes: 0, cameAt: stateSeq, stateSeq })
    this.#evict()
  }

  /** The size of an entry, and the seq before its change, are known once it is answered. */
  close(entry: Entry, bytes: number, stateSeq: number | undefined) {
    const kept = this.#kept.get(entry.id)
    // With a seed, requests from before and after a reset can have the same id.
    if (kept?.entry !== entry) return
    this.#bytes += bytes - kept.bytes
    kept.bytes = bytes
    if (stateSeq !== undefined) kept.stateSeq = stateSeq
    this.#evict()
  }

  get(id: string): Entry | undefined {
    return this.#kept.get(id)?.entry
  }

  stateSeqOf(id: string): number | undefined {
    return this.#kept.get(id)?.stateSeq
  }

  newestFirst(): Entry[] {
    return Array.from(this.#kept.values(), kept => kept.entry).reverse()
  }

  get size() {
    return this.#kept.size
  }

  /** How many entries were dropped because there were too many. */
  get dropped() {
    return this.#seq - this.#cleared - this.#kept.size
  }

  /** No entry refers to a change before this one. */
  get oldestStateSeq(): number {
    for (const kept of this.#kept.values()) return kept.cameAt
    return Number.POSITIVE_INFINITY
  }

  clear() {
    this.#cleared = this.#seq
    this.#kept.clear()
    this.#bytes = 0
  }

  #evict() {
    if (this.#kept.size <= MOST_ENTRIES && this.#bytes <= MOST_BYTES) return
    for (const [id, kept] of this.#kept) {
      if (this.#kept.size === 1) return
      this.#kept.delete(id)
      this.#bytes -= kept.bytes
      if (this.#kept.size <= MOST_ENTRIES && this.#bytes <= MOST_BYTES) return
    }
  }
}
