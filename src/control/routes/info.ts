import * as z from 'zod'
import {
  type AssumptionName,
  assumptions,
  isAssumption,
  listAssumptions,
  valuesOf,
} from '../../contract/assumptions.ts'
import { fail } from '../../contract/errors.ts'
import type { Info } from '../../contract/info.ts'
import type { OperationName } from '../../contract/shapes.ts'
import { operations } from '../../resources/index.ts'
import type { ControlContext } from '../context.ts'
import { checkOperation } from '../journal/pattern.ts'
import type { countMetrics } from '../metrics.ts'
import { destroys, get, patch, quoted, type Route, reads, reject, rejectUnknown } from '../route.ts'

type Json = Record<string, unknown>

export function infoRoutes(context: ControlContext): Route[] {
  let readMetrics: Promise<ReturnType<typeof countMetrics>> | undefined
  return [
    get('/health', 'Whether it can serve', {
      global: true,
      // Answered before the control plane is loaded; this route is here for the table and the OpenAPI document.
      run: () => context.health(),
    }),
    get('/info', 'How the simulator was started', {
      global: true,
      tool: reads(
        'simulator_info',
        'Use it first: it tells the address that clients need, tokens that work, and the options.',
        'edgesim {version} serves the API at {url}, with the fixture {fixture}.',
      ),
      run({ origin }): Info {
        const { version, vendor, instance } = context
        return { url: context.url(origin), version, vendor, instance, ...context.info() }
      },
    }),
    get('/ca.pem', 'The self-signed certificate, for clients to trust', {
      global: true,
      run({ res }) {
        const certificate = context.certificate()
        if (certificate === undefined)
          fail('not_found', {
            what: 'self-signed certificate',
            exists: 'The options --tls and --as make one, and so does a TLS or HTTPS edge that listens.',
          })
        res.writeHead(200, { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' }).end(certificate)
      },
    }),
    get('/env', 'The variables by which programs on this machine find the simulator, and trust it', {
      global: true,
      run: () => ({ variables: context.env() }),
    }),
    get('/assumptions', 'What the API document leaves open, and what is assumed', {
      tool: reads(
        'list_assumptions',
        'Use it when an answer surprises you: what the API document leaves open is assumed, and a scenario can change it with "assume".',
        '{assumptions assumption}, with their values in this sandbox.',
      ),
      run: ({ sandbox }) => ({ assumptions: listAssumptions(sandbox.assumed, context.probed) }),
    }),
    patch('/assumptions', 'Change assumptions of this sandbox, until a reset or another scenario', {
      body: z
        .record(z.string(), z.union([z.string(), z.null()]))
        .meta({ description: 'Values by name; null takes a change back' }),
      tool: destroys(
        'change_assumptions',
        'Use it to see how your code fares if the service does otherwise.',
        '{assumptions assumption}, with their values in this sandbox.',
        { body: 'changes', brief: { assumptions: ['name', 'value'] } },
      ),
      run({ sandbox, body }) {
        context.sandboxes.launch.assume(sandbox, checkAssumed(body))
        return { assumptions: listAssumptions(sandbox.assumed, context.probed) }
      },
    }),
    get('/resources', 'The declarations: kinds of records, modules, operations', {
      tool: reads(
        'describe_api',
        'Use it before you write a client: it lists every operation and every table of records.',
        '{operations operation}. describe_operation tells the fields and answers of one.',
        {
          summary: 'The operations of the API, and the tables of records behind them',
          brief: {
            kinds: ['table', 'label', 'path', 'prefix'],
            modules: ['name', 'label', 'path'],
            operations: ['id', 'method', 'path'],
          },
        },
      ),
      async run() {
        const { describeResources } = await import('../../resources/for-page.ts')
        return describeResources()
      },
    }),
    get('/openapi.json', 'OpenAPI of the simulated API', {
      query: { operation: 'only this one: an operation id' },
      tool: reads(
        'describe_operation',
        'Use it to learn what an operation takes and answers, in OpenAPI.',
        'How to call it. Send the version header, and Authorization: Bearer <token>.',
        { summary: 'One operation of the API', needs: ['operation'] },
      ),
      async run({ origin, query, sandbox }) {
        const { openapi } = await import('../../resources/openapi.ts')
        const { version, vendor } = context
        const document = openapi({ url: context.url(origin), version, vendor, assumed: sandbox.assumed })
        const operation = query.get('operation')
        return operation === null ? document : onlyOperation(document, checkOperation(operation))
      },
    }),
    get('/report', 'What clients have touched since the start, in all sandboxes', {
      global: true,
      tool: reads(
        'run_report',
        'Use it to see which operations were called, and which never.',
        '{requests request}; {coverage.called} of {coverage.of} operations were called.',
      ),
      run: () => context.report(),
    }),
    get('/metrics', 'Counters and gauges, in the text format of Prometheus', {
      global: true,
      async run({ res }) {
        // Metrics are loaded, and count, from the first scrape on: who never scrapes pays nothing.
        readMetrics ??= import('../metrics.ts').then(({ countMetrics }) => countMetrics(context))
        const { contentType, text } = await (await readMetrics)()
        const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
        res.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
      },
    }),
  ]
}

/** Fails for a name or a value that there is not. */
function checkAssumed(given: Record<string, string | null>): Partial<Record<AssumptionName, string | null>> {
  for (const [name, value] of Object.entries(given)) {
    if (!isAssumption(name)) rejectUnknown('assumption', name, Object.keys(assumptions))
    if (value !== null && !valuesOf(name).includes(value))
      reject(`"${name}" must be ${valuesOf(name).join(' or ')}, or null, not ${quoted(value)}`)
  }
  return given
}

/** Reduces the OpenAPI document to one operation and the components that it refers to. */
function onlyOperation({ tags: _tags, ...document }: Json, id: OperationName): Json {
  const operation = operations.find(each => each.id === id)!
  const method = operation.method.toLowerCase()
  const { securitySchemes, ...known } = document.components as Record<string, Json>
  const paths = { [operation.path]: { [method]: (document.paths as Record<string, Json>)[operation.path]![method] } }
  const needed: Record<string, Json> = {}
  const take = (value: unknown) => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (needed[kind!]?.[name!]) continue
      needed[kind!] = { ...needed[kind!], [name!]: known[kind!]![name!] }
      take(known[kind!]![name!])
    }
  }
  take(paths)
  return { ...document, paths, components: { securitySchemes, ...needed } }
}
