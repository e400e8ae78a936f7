import type { ControlContext } from '../context.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ControlRoute } from '../route.ts'

/** For Prometheus. Who never asks pays for nothing: loading and counting begin with the first question. */
export function metricsRoutes(context: ControlContext): ControlRoute[] {
  let metrics: Promise<Metrics> | undefined
  return [
    {
      method: 'get',
      path: '/metrics',
      summary: 'Counters and gauges, in the text format of Prometheus',
      global: true,
      answers: [200],
      async run({ res }) {
        metrics ??= import('../metrics/metrics.ts').then(({ Metrics }) => new Metrics(context))
        const { contentType, text } = await (await metrics).read()
        const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
        res.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
        return undefined
      },
    },
  ]
}
