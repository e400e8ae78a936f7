import { listAssumptions } from '../../assumptions.ts'
import { fail } from '../../errors.ts'
import type { ControlContext } from '../context.ts'
import { type ControlRoute, ok } from '../route.ts'

export const infoRoutes = (context: ControlContext): ControlRoute[] => [
  {
    method: 'get',
    path: '/health',
    summary: 'Whether it can serve',
    global: true,
    answers: [200],
    run: () =>
      ok({ status: 'ok', version: context.version, uptime_ms: Math.round(performance.now() - context.startedAt) }),
  },
  {
    method: 'get',
    path: '/info',
    summary: 'How the simulator was started',
    global: true,
    answers: [200],
    run({ origin }) {
      const { version, vendor, instance } = context
      return ok({ url: context.url(origin), version, vendor, instance, ...context.info() })
    },
  },
  {
    method: 'get',
    path: '/ca.pem',
    summary: 'The self-signed certificate, for clients to trust',
    global: true,
    answers: [200],
    run({ res }) {
      const certificate = context.certificate()
      if (certificate === undefined)
        fail('not_found', {
          what: 'self-signed certificate',
          exists: 'The option --tls makes one, and so does an HTTPS edge that listens.',
        })
      res.writeHead(200, { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' }).end(certificate)
      return undefined
    },
  },
  {
    method: 'get',
    path: '/assumptions',
    summary: 'What the API document leaves open, and what is assumed',
    answers: [200],
    run: ({ sandbox }) => ok({ assumptions: listAssumptions(sandbox.assumed) }),
  },
  {
    method: 'get',
    path: '/resources',
    summary: 'The declarations: kinds of records, modules, operations',
    answers: [200],
    async run() {
      const { describeResources } = await import('../../describe-resources.ts')
      return ok(describeResources())
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'OpenAPI of the simulated API',
    answers: [200],
    async run({ origin }) {
      const { openapi } = await import('../../openapi.ts')
      return ok(openapi({ url: context.url(origin), version: context.version, vendor: context.vendor }))
    },
  },
]
