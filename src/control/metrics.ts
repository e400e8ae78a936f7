import { STATUS_CODES } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Sandbox, SandboxEvent } from '../sandbox/index.ts'
import { faultKinds } from '../scenarios/faults/index.ts'
import { RATE_LIMIT } from '../scenarios/rate-limit.ts'
import { LATENCY, RuleHit } from '../scenarios/rule-set.ts'
import type { ControlContext } from './context.ts'

/** Process metrics, shared by all simulators. Collection starts once, because prom-client cannot stop it. */
const processRegistry = new Registry()
collectDefaultMetrics({ register: processRegistry })

/** Values before the first measurement: a mean of NaN, a minimum of 292 years. */
const UNMEASURED = /^nodejs_eventloop_\w+ (Nan|9223372036\.\d+)\n/gm

/** Upper bounds of the histogram, in seconds. Most responses take less than 1 ms, delayed ones far longer. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Starts the metrics of a simulator. Returns a function that reads them. */
export function countMetrics(context: ControlContext) {
  const registry = new Registry()
  context.observe(countEvents([registry]))
  addGauges([registry], context)
  return async (): Promise<{ contentType: string; text: string }> => {
    const texts = await Promise.all([registry.metrics(), processRegistry.metrics()])
    return { contentType: registry.contentType, text: texts.join('\n').replace(UNMEASURED, '') }
  }
}

/** Counts requests and rules. The number of series is bounded, because labels contain neither paths nor names. */
function countEvents(registers: Registry[]): (event: SandboxEvent) => void {
  const requests = new Counter({
    name: 'edgesim_requests_total',
    help: 'API requests since the first scrape, by operation and response status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'edgesim_request_duration_seconds',
    help: 'Duration of API requests since the first scrape, including injected delays.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  })
  const rules = new Counter({
    name: 'edgesim_rules_fired_total',
    help: 'Scenario rules fired since the first scrape, by effect.',
    labelNames: ['fault'],
    registers,
  })
  // All start at zero, so Prometheus sees the first increase.
  for (const fault of [LATENCY, RATE_LIMIT, ...faultKinds.map(({ type }) => type)]) rules.inc({ fault }, 0)
  return ({ type, data }) => {
    if (type !== 'request' && type !== 'traffic' && type !== 'delivery') return
    // Its outcome is another event.
    if (type === 'delivery' && data.status === 'pending') return
    if (type === 'request') {
      const operation = data.operation ?? 'none'
      requests.inc({ operation, status: statusLabel(data.status) })
      durations.observe({ operation }, (data.duration_ms ?? 0) / 1000)
    }
    for (const rule of data.rules) {
      const fault = RuleHit.kindOf(rule)
      if (fault !== undefined) rules.inc({ fault })
    }
  }
}

/** A scenario can return any status. Statuses without a name in HTTP share a label. */
const statusLabel = (status: number | null) =>
  status === null ? 'none' : Object.hasOwn(STATUS_CODES, status) ? String(status) : 'other'

function addGauges(registers: Registry[], { sandboxes, uptimeMs, version, vendor }: ControlContext) {
  const gauge = (name: string, help: string, value: () => number, labels: Record<string, string> = {}) =>
    new Gauge({
      name: `edgesim_${name}`,
      help,
      labelNames: Object.keys(labels),
      registers,
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
  new Counter({
    name: 'edgesim_sandboxes_expired_total',
    help: 'Unused sandboxes dropped since startup.',
    registers,
    collect() {
      this.reset()
      this.inc(sandboxes.expired)
    },
  })
}
