import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { sourceFinder } from '../http/client-address.ts'
import { operations } from '../resources/index.ts'
import { ApiRestrictions } from './checks.ts'
import { Exchange, type Service } from './exchange.ts'
import { type ApiRequest, expressMessages } from './express-messages.ts'
import { compileRoutes, type Route } from './routes.ts'

/**
 * The simulated API, and the message classes that its HTTP server must use. Express carries each request to one handler:
 * trying a layer for every route would cost more than most requests do.
 */
export function createApi(service: Service) {
  const app = express()
  const classes = expressMessages(app)
  app.disable('x-powered-by').set('etag', false).set('query parser', false)
  const routeOf = compileRoutes()
  const context = { ...service, sourceOf: sourceFinder(service.trustProxy), restrictions: new ApiRestrictions() }

  app.use(req => {
    const { exchange } = req as unknown as ApiRequest
    const route = routeOf(exchange!.call.entry.path) ?? noRoute(exchange!)
    checkSimulated(exchange!, route)
    return exchange!.run(operationOf(route, req), route.params)
  })

  app.use((error: unknown, req: express.Request, _res: express.Response, _next: express.NextFunction) =>
    (req as unknown as ApiRequest).exchange!.refuse(error),
  )

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    ;(req as ApiRequest).exchange = new Exchange(req, res, path, search, context)
    app(req, res)
  }
  return { handle, classes }
}

function noRoute({ call }: Exchange, served = operations): never {
  const { path } = call.entry
  const paths = served.map(operation => operation.path)
  fail('not_found', { what: `path ${path}`, nearest: nearest(path, paths) })
}

/** docs/api.md 10: paths that the document does not have, or that only the vendor has. */
function checkSimulated(exchange: Exchange, { unsimulated, methods }: Route) {
  const { call } = exchange
  if (unsimulated !== undefined) {
    if (call.assume('unsimulated_path') === 'not_found') noRoute(exchange)
    fail('not_simulated', { path: call.entry.path, known: unsimulated })
  }
  const [operation] = methods.values()
  if (operation!.neighbour && call.assume('neighbours') === 'absent')
    noRoute(
      exchange,
      operations.filter(({ neighbour }) => !neighbour),
    )
}

function operationOf({ methods }: Route, req: IncomingMessage) {
  const method = req.method!
  const operation = methods.get(method)
  if (operation) return operation
  const allow = [...methods.keys()]
  const asked = method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  const preflight = asked ? req.headers.origin?.slice(0, 100) : undefined
  const { path } = (req as ApiRequest).exchange!.call.entry
  fail('method_not_allowed', { method, path, allow, preflight }, { Allow: allow.join(', ') })
}
