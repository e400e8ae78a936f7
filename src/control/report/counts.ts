import { didYouMean, nearestPattern } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { firstSentence } from '../../basics/text.ts'
import { MAX_ERROR_MESSAGE } from '../../contract/lengths.ts'
import type { Report } from '../../contract/report.ts'
import { SimulatorError } from '../../contract/simulator-error.ts'
import { version } from '../../engine/files/package.ts'
import type { Catalog } from '../../engine/language/index.ts'
import type { Sandboxes } from '../../engine/launch/registry.ts'
import type { SandboxEvent, StoredEntry } from '../../engine/sandbox/index.ts'

/** Durations are counted on a logarithmic scale: 50 steps per factor of e, or 2 percent per step. */
const STEPS = 50
const SLOWEST = 10
/** The first step is a microsecond, the last a day or more. */
const FIRST_STEP = Math.round(Math.log(0.001) * STEPS)
const LAST_STEP = Math.round(Math.log(86_400_000) * STEPS)

/** Upper bounds of the histogram in seconds. Most responses take less than 1 ms, delayed ones far longer. */
export const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class Counted {
  calls = 0
  seconds = 0
  readonly statuses = new Map<number | null, number>()
  /** Number of calls by step. */
  readonly durations = new Uint32Array(LAST_STEP - FIRST_STEP + 1)
  /** Number of calls by bucket; the last one is for longer calls. */
  readonly buckets = new Uint32Array(BUCKETS.length + 1)

  add(status: number | null, ms: number) {
    this.calls++
    this.seconds += ms / 1000
    increase(this.statuses, status)
    this.durations[stepOf(ms) - FIRST_STEP]!++
    let bucket = 0
    while (ms / 1000 > BUCKETS[bucket]!) bucket++
    this.buckets[bucket]!++
  }
}

export interface ReportSettings {
  startedAt: string
  /** The operations that count towards coverage. */
  operations: readonly string[]
}

/** Counts the requests of all sandboxes since startup, in constant memory. */
export class RunReport {
  #requests = 0
  /** The key is null for requests without a route. */
  readonly counted = new Map<string | null, Counted>()
  readonly #errors = new Map<string, Report['errors'][number]>()
  readonly #assumptions = new Map<string, Report['assumptions'][number]>()
  readonly #deliveries = new Map<string, number>()
  #slowest: Report['slowest'] = []

  constructor(
    readonly settings: ReportSettings,
    readonly sandboxes: Sandboxes,
  ) {}

  onEvent({ type, data }: SandboxEvent) {
    // A delivery has a second event with its result.
    if (type === 'delivery' && data.status === 'pending') return
    if (type === 'request') this.#addRequest(data)
    else if (type === 'delivery') increase(this.#deliveries, data.status)
  }

  read(): Report {
    const { startedAt, operations: expected } = this.settings
    const { created: made, launch } = this.sandboxes
    const notCalled = expected.filter(id => !this.counted.has(id))
    const called = expected.length - notCalled.length
    const percent = expected.length === 0 ? 100 : Math.floor((called / expected.length) * 1000) / 10
    return {
      version,
      started_at: startedAt,
      requests: this.#requests,
      no_route: this.counted.get(null)?.calls ?? 0,
      sandboxes: made,
      coverage: { called, of: expected.length, percent },
      operations: Array.from(this.counted)
        .flatMap(([operation, counted]) => (operation === null ? [] : describeCounted(operation, counted)))
        .sort((a, b) => b.calls - a.calls || (a.operation < b.operation ? -1 : 1)),
      not_called: notCalled,
      errors: [...this.#errors.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
      assumptions: [...this.#assumptions.values()].sort((a, b) => b.requests - a.requests),
      rules: launch.usedRules().map(({ launched: _, ...rule }) => rule),
      deliveries: Object.fromEntries(this.#deliveries),
      slowest: this.#slowest,
    }
  }

  #addRequest(entry: StoredEntry) {
    const { operation, status, duration_ms } = entry
    this.#requests++
    const counted = this.counted.get(operation) ?? new Counted()
    this.counted.set(operation, counted)
    counted.add(status, duration_ms ?? 0)
    if (status !== null && status >= 400) this.#addError(entry)
    for (const { name, value } of entry.assumptions) {
      const key = `${name}=${value}`
      const known = this.#assumptions.get(key)
      if (known) known.requests++
      else this.#assumptions.set(key, { name, value, requests: 1 })
    }
    if (this.#slowest.length < SLOWEST || (duration_ms ?? 0) > this.#slowest.at(-1)!.duration_ms) this.#addSlow(entry)
  }

  /** An error without a code is counted by status. */
  #addError({ failure, status }: StoredEntry) {
    if (!failure) return
    const { code = String(status) } = failure
    const { count = 0 } = this.#errors.get(code) ?? {}
    const message = firstSentence(shorten(failure.message, MAX_ERROR_MESSAGE))
    this.#errors.set(code, { code, count: count + 1, message })
  }

  #addSlow({ id, sandbox, operation, method, path, status, duration_ms }: StoredEntry) {
    const slow = { id, sandbox, operation, method, path, status, duration_ms: duration_ms ?? 0 }
    this.#slowest = [...this.#slowest, slow].sort((a, b) => b.duration_ms - a.duration_ms).slice(0, SLOWEST)
  }
}

const describeCounted = (operation: string, { calls, statuses, durations }: Counted) => ({
  operation,
  calls,
  statuses: Object.fromEntries(Array.from(statuses, ([status, count]) => [String(status ?? 'none'), count]).sort()),
  p50_ms: percentile(durations, 0.5),
  p95_ms: percentile(durations, 0.95),
})

function increase<K>(counts: Map<K, number>, key: K) {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const stepOf = (ms: number) => Math.min(LAST_STEP, Math.round(Math.log(Math.max(ms, 0.001)) * STEPS))

/** Requires at least one call. */
function percentile(durations: Uint32Array, share: number): number {
  let left = Math.ceil(share * durations.reduce((sum, count) => sum + count, 0))
  const at = durations.findIndex(count => {
    left -= count
    return left <= 0
  })
  return Number(Math.exp((at + FIRST_STEP) / STEPS).toPrecision(3))
}

/** The operations that match a list of names and patterns like `*_api_key`; all without a list. */
export function operationsNamed({ operations }: Catalog, names: readonly string[] | undefined): string[] {
  const known = operations.map(({ id }) => id)
  if (names === undefined) return known
  const found = names
    .flatMap(text => text.split(','))
    .map(text => text.trim())
    .flatMap(name => {
      const pattern = new RegExp(`^${name.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`)
      const matching = known.filter(id => pattern.test(id))
      if (matching.length > 0) return matching
      const hint = didYouMean(nearestPattern(name, known)) || ' edgesim openapi lists them.'
      throw new SimulatorError('INVALID_OPTION', `operations: unknown operation "${name}".${hint}`)
    })
  return [...new Set(found)]
}
