import { either, mapOf, nothing, textShape, withJson } from '../../basics/shape.ts'
import type { Info } from '../../contract/info.ts'
import type { Api } from '../../engine/api.ts'
import { isAssumption, listAssumptions, valuesOf } from '../../engine/assumptions.ts'
import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import type { ControlContext } from '../context.ts'
import { checkOperation } from '../journal/pattern.ts'
import type { metricsOf } from '../metrics.ts'
import { get, patch, quoted, type Route, reject, rejectUnknown } from '../route.ts'

type Json = Record<string, unknown>

export function infoRoutes(context: ControlContext): Route[] {
  let readMetrics: Promise<ReturnType<typeof metricsOf>> | undefined
  return [
    get('/health', 'Check that the simulator is ready', {
      global: true,
      // Served before the control API is loaded. This route is only for the OpenAPI description.
      run: () => context.health(),
    }),
    get('/info', 'Get the address, tokens and options', {
      global: true,
      run({ origin }): Info {
        const { version, vendor, instance } = context
        return { url: context.url(origin), version, vendor, instance, ...context.info() }
      },
    }),
    get('/ca.pem', 'Get the self-signed certificate for clients', {
      global: true,
      run({ res }) {
        const certificate = context.certificate()
        if (certificate === undefined)
          fail(errors.not_found, {
            what: 'self-signed certificate',
            exists: 'The options --tls and --as create one, as does a listening TLS or HTTPS edge.',
          })
        res.writeHead(200, { 'Content-Type': 'application/x-pem-file', 'Cache-Control': 'no-store' }).end(certificate)
      },
    }),
    get('/env', 'Get the environment variables for local clients', {
      global: true,
      run: () => ({ variables: context.env() }),
    }),
    get('/assumptions', 'List undocumented behaviour and what edgesim assumes', {
      run: ({ sandbox }) => ({ assumptions: listAssumptions(sandbox.api, sandbox.assumed, context.probed) }),
    }),
    patch('/assumptions', 'Change assumptions of this sandbox until a reset or another scenario', {
      body: withJson(mapOf(either(textShape(), nothing)), { description: 'Values by name. Null reverts a change' }),
      run({ sandbox, body }) {
        context.sandboxes.launch.assume(sandbox, checkAssumed(sandbox.api, body))
        return { assumptions: listAssumptions(sandbox.api, sandbox.assumed, context.probed) }
      },
    }),
    get('/resources', 'List record kinds, modules and operations', {
      async run({ sandbox }) {
        const { describeResources } = await import('../../engine/describe/for-dashboard.ts')
        return describeResources(sandbox.api)
      },
    }),
    get('/openapi.json', 'Get the OpenAPI description of the simulated API', {
      query: { operation: 'Operation id, to get only this operation' },
      async run({ origin, query, sandbox }) {
        const { openapi } = await import('../../engine/describe/openapi.ts')
        const { version, vendor } = context
        const document = openapi(sandbox.api, { url: context.url(origin), version, vendor, assumed: sandbox.assumed })
        const operation = query.get('operation')
        return operation === null
          ? document
          : onlyOperation(sandbox.api, document, checkOperation(sandbox.api, operation))
      },
    }),
    get('/report', 'Get the coverage report of all sandboxes since startup', {
      global: true,
      run: () => context.coverage.read(),
    }),
    get('/metrics', 'Get counters and gauges in the Prometheus text format', {
      global: true,
      async run({ res }) {
        // Loaded with the first scrape. The counts are since startup.
        readMetrics ??= import('../metrics.ts').then(({ metricsOf }) => metricsOf(context))
        const { contentType, text } = await (await readMetrics)()
        const headers = { 'Content-Type': contentType, 'Cache-Control': 'no-store' }
        res.writeHead(200, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text)
      },
    }),
  ]
}

/** Rejects an unknown name or value. */
function checkAssumed(api: Api, given: Record<string, string | null>) {
  for (const [name, value] of Object.entries(given)) {
    if (!isAssumption(api, name)) rejectUnknown('assumption', name, Object.keys(api.assumptions))
    if (value !== null && !valuesOf(api, name).includes(value))
      reject(`"${name}" must be ${valuesOf(api, name).join(' or ')}, or null, got ${quoted(value)}`)
  }
  return given
}

/** Reduces the OpenAPI description to one operation and its components. */
function onlyOperation({ catalog: { operations } }: Api, { tags: _tags, ...document }: Json, id: string): Json {
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
