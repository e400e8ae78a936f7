import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client'
import { performance } from '../../basics/real-time.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import type { ControlContext } from '../context.ts'
import { BUCKETS, Counts, statusLabel } from './counts.ts'

/** Metrics of the process, shared by its simulators: prom-client cannot stop collecting them, so it starts once. */
const processRegistry = new Registry()
collectDefaultMetrics({ register: processRegistry })

/** Values before the first measurement: a mean of NaN, a minimum of 292 years. */
const UNMEASURED = /^nodejs_eventloop_\w+ (Nan|9223372036\.\d+)\n/gm

/** The metrics of one simulator, which count from now on. */
export class Metrics {
  readonly #registry = new Registry()

  constructor(context: ControlContext) {
    const counts = new Counts()
    addCounters(this.#registry, counts, context)
    this.#registry.registerMetric(durationsOf(counts))
    addGauges(this.#registry, context)
    context.observe(event => counts.add(event))
  }

  async read(): Promise<{ contentType: string; text: string }> {
    const texts = await Promise.all([this.#registry.metrics(), processRegistry.metrics()])
    return { contentType: this.#registry.contentType, text: texts.join('\n').replace(UNMEASURED, '') }
  }
}

function addCounters(registry: Registry, { requests, rules }: Counts, { sandboxes }: ControlContext) {
  new Counter({
    name: 'edgesim_requests_total',
    help: 'Requests to the simulated API since the first scrape, by operation and by the status of the answer.',
    labelNames: ['operation', 'status'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [operation, { statuses }] of requests)
        for (const [status, count] of statuses) this.inc({ operation, status: statusLabel(status) }, count)
    },
  })
  new Counter({
    name: 'edgesim_rules_fired_total',
    help: 'How often rules of scenarios fired since the first scrape, by what they did.',
    labelNames: ['fault'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [fault, count] of rules) this.inc({ fault }, count)
    },
  })
  new Counter({
    name: 'edgesim_sandboxes_expired_total',
    help: 'Sandboxes that were dropped since the start because nobody used them.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(sandboxes.expired)
    },
  })
}

/** A histogram over our own counts, since the class of prom-client only counts itself. */
function durationsOf({ requests }: Counts): Histogram {
  const name = 'edgesim_request_duration_seconds'
  const help = 'How long requests to the simulated API took since the first scrape, with all that held them up.'
  const get = async () => {
    const values = [...requests].flatMap(([operation, { buckets, seconds, requests: count }]) => {
      let sum = 0
      const cumulative = [...BUCKETS, '+Inf'].map((le, i) => {
        sum += buckets[i]!
        return { metricName: `${name}_bucket`, labels: { le, operation }, value: sum }
      })
      const labels = { operation }
      const total = { metricName: `${name}_sum`, labels, value: seconds }
      return [...cumulative, total, { metricName: `${name}_count`, labels, value: count }]
    })
    return { name, help, type: 'histogram', values }
  }
  return { name, get } as unknown as Histogram
}

function addGauges(registry: Registry, { sandboxes, startedAt, version, vendor }: ControlContext) {
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
  gauge('sandboxes', 'Sandboxes there are.', () => sandboxes.count)
  gauge('journal_entries', 'Requests in the journals of all sandboxes.', () => sum(({ journal }) => journal.size))
  gauge('journal_bytes', 'Bytes that these journals take, roughly.', () => sum(({ journal }) => journal.bytes))
  gauge('log_bytes', 'Bytes of the log of changes on the disk.', () => sum(({ log }) => log?.bytes ?? 0))
  gauge('uptime_seconds', 'Seconds since the start.', () => (performance.now() - startedAt) / 1000)
  gauge('info', 'Always 1: which version of edgesim, and for which vendor.', () => 1, { version, vendor })
}
