import { didYouMean, nearestPattern } from '../basics/nearest.ts'
import type { Report } from '../contract/report.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import { version } from '../files/package.ts'
import type { Sandboxes } from '../registry/registry.ts'
import { operations } from '../resources/index.ts'
import type { SandboxEvent, StoredEntry } from '../sandbox/index.ts'

/** Durations are counted on a logarithmic scale: 50 steps per factor of e, or 2 percent per step. */
const STEPS = 50
const SLOWEST = 10
/** The first step is a microsecond, the last a day or more. */
const FIRST_STEP = Math.round(Math.log(0.001) * STEPS)
const LAST_STEP = Math.round(Math.log(86_400_000) * STEPS)

interface Counted {
  calls: number
  statuses: Map<number | null, number>
  /** Number of calls by step. */
  durations: Uint32Array
}

export interface ReportSettings {
  startedAt: string
  /** The operations that count towards coverage. */
  operations: readonly string[]
}

/** Counts the requests of all sandboxes since startup, in constant memory. */
export class RunReport {
  #requests = 0
  #noRoute = 0
  readonly #operations = new Map<string, Counted>()
  readonly #errors = new Map<string, number>()
  readonly #assumptions = new Map<string, Report['assumptions'][number]>()
  readonly #deliveries = new Map<string, number>()
  #slowest: Report['slowest'] = []

  constructor(
    readonly settings: ReportSettings,
    readonly sandboxes: Sandboxes,
  ) {}

  onEvent({ type, data }: SandboxEvent) {
    if (type === 'request') this.#addRequest(data)
    // A delivery has a second event with its result.
    else if (type === 'delivery' && data.status !== 'pending') increase(this.#deliveries, data.status)
  }

  read(): Report {
    const { startedAt, operations: expected } = this.settings
    const { created: made, launch } = this.sandboxes
    const notCalled = expected.filter(id => !this.#operations.has(id))
    const called = expected.length - notCalled.length
    const percent = expected.length === 0 ? 100 : Math.floor((called / expected.length) * 1000) / 10
    return {
      version,
      started_at: startedAt,
      requests: this.#requests,
      no_route: this.#noRoute,
      sandboxes: made,
      coverage: { called, of: expected.length, percent },
      operations: Array.from(this.#operations, ([operation, { calls, statuses, durations }]) => ({
        operation,
        calls,
        statuses: Object.fromEntries(
          Array.from(statuses, ([status, count]) => [String(status ?? 'none'), count]).sort(),
        ),
        p50_ms: percentile(durations, 0.5),
        p95_ms: percentile(durations, 0.95),
      })).sort((a, b) => b.calls - a.calls || (a.operation < b.operation ? -1 : 1)),
      not_called: notCalled,
      errors: mostFirst(this.#errors).map(([code, count]) => ({ code, count })),
      assumptions: [...this.#assumptions.values()].sort((a, b) => b.requests - a.requests),
      rules: launch.usedRules().map(({ launched: _, ...rule }) => rule),
      deliveries: Object.fromEntries(this.#deliveries),
      slowest: this.#slowest,
    }
  }

  #addRequest(entry: StoredEntry) {
    const { operation, status, duration_ms } = entry
    this.#requests++
    if (operation === null) this.#noRoute++
    else this.#addCall(operation, status, duration_ms ?? 0)
    if (status !== null && status >= 400) {
      // An error without a code is counted by status.
      const { error_code, status_code } = (entry.response?.body ?? {}) as Record<string, unknown>
      const code = error_code ?? status_code
      if (code !== undefined) increase(this.#errors, String(code))
    }
    for (const { name, value } of entry.assumptions) {
      const key = `${name}=${value}`
      const known = this.#assumptions.get(key)
      if (known) known.requests++
      else this.#assumptions.set(key, { name, value, requests: 1 })
    }
    if (this.#slowest.length < SLOWEST || (duration_ms ?? 0) > this.#slowest.at(-1)!.duration_ms) this.#addSlow(entry)
  }

  #addCall(operation: string, status: number | null, durationMs: number) {
    let counted = this.#operations.get(operation)
    if (!counted) {
      counted = { calls: 0, statuses: new Map(), durations: new Uint32Array(LAST_STEP - FIRST_STEP + 1) }
      this.#operations.set(operation, counted)
    }
    counted.calls++
    increase(counted.statuses, status)
    counted.durations[stepOf(durationMs) - FIRST_STEP]!++
  }

  #addSlow({ id, sandbox, operation, method, path, status, duration_ms }: StoredEntry) {
    const slow = { id, sandbox, operation, method, path, status, duration_ms: duration_ms ?? 0 }
    this.#slowest = [...this.#slowest, slow].sort((a, b) => b.duration_ms - a.duration_ms).slice(0, SLOWEST)
  }
}

function increase<K>(counts: Map<K, number>, key: K) {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const mostFirst = (counts: Map<string, number>) => [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))

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
export function operationsNamed(names: readonly string[] | undefined): string[] {
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
