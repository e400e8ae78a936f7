import { STATUS_CODES } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import type { Sandbox } from '../engine/sandbox/index.ts'
import { faultKinds } from '../engine/scenarios/faults/index.ts'
import { RATE_LIMIT } from '../engine/scenarios/rate-limit.ts'
import { LATENCY } from '../engine/scenarios/rule-set.ts'
import type { ControlContext } from './context.ts'
import { BUCKETS, type Counted } from './report/counts.ts'

/** Process metrics, shared by all simulators. Collection starts once, because prom-client cannot stop it. */
const processRegistry = new Registry()
collectDefaultMetrics({ register: processRegistry })

/** Values before the first measurement: a mean of NaN, a minimum of 292 years. */
const UNMEASURED = /^nodejs_eventloop_\w+ (Nan|9223372036\.\d+)\n/gm

/** Returns a function that reads the metrics of a simulator. */
export function metricsOf(context: ControlContext) {
  const registry = new Registry()
  addCounts(registry, context)
  addGauges(registry, context)
  return async (): Promise<{ contentType: string; text: string }> => {
    const texts = await Promise.all([registry.metrics(), processRegistry.metrics()])
    return { contentType: registry.contentType, text: texts.join('\n').replace(UNMEASURED, '') }
  }
}

/** The counts since startup. The number of series is bounded, because labels contain neither paths nor names. */
function addCounts(registry: Registry, { coverage: { counted }, sandboxes }: ControlContext) {
  addCounter(registry, 'requests_total', 'API requests, by operation and response status.', count => {
    for (const [operation, { statuses }] of counted)
      for (const [status, requests] of statuses)
        count({ operation: nameOf(operation), status: statusLabel(status) }, requests)
  })
  addCounter(registry, 'rules_fired_total', 'Scenario rules fired, by effect.', count => {
    // All start at zero, so Prometheus sees the first increase.
    for (const fault of [LATENCY, RATE_LIMIT, ...faultKinds.map(({ type }) => type)])
      count({ fault }, sandboxes.launch.fired.get(fault) ?? 0)
  })
  // Histograms of prom-client count observations themselves.
  const name = 'edgesim_request_duration_seconds'
  const durations = {
    name,
    help: 'Duration of API requests, including injected delays.',
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ ...durations, values: Array.from(counted).flatMap(each => histogramOf(name, ...each)) }),
  }
  registry.registerMetric(durations as unknown as Metric)
}

const nameOf = (operation: string | null) => operation ?? 'none'

/** The cumulative buckets, sum and count of one operation. */
function histogramOf(name: string, operation: string | null, { buckets, seconds, calls }: Counted) {
  const labels = { operation: nameOf(operation) }
  const sums = Array.from(buckets, (_, i) => buckets.subarray(0, i + 1).reduce((sum, count) => sum + count, 0))
  return [
    ...sums.map((value, i) => ({
      metricName: `${name}_bucket`,
      labels: { le: BUCKETS[i] ?? '+Inf', ...labels },
      value,
    })),
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: calls },
  ]
}

type Labels = Record<string, string>

/** A counter of values that are counted elsewhere. */
function addCounter(
  registry: Registry,
  name: string,
  help: string,
  read: (count: (labels: Labels, value: number) => void) => void,
) {
  new Counter({
    name: `edgesim_${name}`,
    help,
    labelNames: ['operation', 'status', 'fault'],
    registers: [registry],
    collect() {
      this.reset()
      read((labels, value) => this.inc(labels, value))
    },
  })
}

/** A scenario can return any status. Statuses without a name in HTTP share a label. */
const statusLabel = (status: number | null) =>
  status === null ? 'none' : Object.hasOwn(STATUS_CODES, status) ? String(status) : 'other'

function addGauges(registry: Registry, { sandboxes, uptimeMs, version, vendor }: ControlContext) {
  const gauge = (name: string, help: string, value: () => number, labels: Record<string, string> = {}) =>
    new Gauge({
      name: `edgesim_${name}`,
      help,
      labelNames: Object.keys(labels),
      registers: [registry],
      collect() {
        this.set(labels, value())
      },
    })
  const sum = (of: (sandbox: Sandbox) => number) => sandboxes.list().reduce((total, each) => total + of(each), 0)
  gauge('sandboxes', 'Existing sandboxes.', () => sandboxes.count)
  gauge('journal_entries', 'Requests in the journals of all sandboxes.', () => sum(({ journal }) => journal.size))
  gauge('journal_bytes', 'Approximate size of these journals in bytes.', () => sum(({ journal }) => journal.bytes))
  gauge('log_bytes', 'Size of the change log on disk in bytes.', () => sum(({ log }) => log?.bytes ?? 0))
  gauge('uptime_seconds', 'Seconds since startup.', () => uptimeMs() / 1000)
  gauge('info', 'Always 1, with the edgesim version and the vendor as labels.', () => 1, { version, vendor })
  addCounter(registry, 'sandboxes_expired_total', 'Unused sandboxes dropped.', count => count({}, sandboxes.expired))
}
