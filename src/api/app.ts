import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { nearest } from '../basics/nearest.ts'
import { fail } from '../contract/errors.ts'
import { sourceFinder } from '../http/client-address.ts'
import { operations } from '../resources/index.ts'
import { Exchange, type Service } from './exchange.ts'
import { compileRoutes, type Route } from './routes.ts'
import { DateHeader } from './send.ts'

/** A request to the API, and the exchange it belongs to. */
interface ApiRequest extends IncomingMessage {
  exchange: Exchange | undefined
}

/**
 * The simulated API, and the message classes that its HTTP server must use. Express passes each request to one handler:
 * trying a layer for every route would cost more than most requests do.
 */
export function createApi(service: Service) {
  const app = express()
  const classes = messageClasses(app)
  app.disable('x-powered-by').set('etag', false).set('query parser', false)
  const routeOf = compileRoutes()
  const context = {
    ...service,
    sourceOf: sourceFinder(service.trustProxy),
    date: new DateHeader(),
  }

  app.use(req => {
    const { exchange } = req as unknown as ApiRequest
    const route = routeOf(exchange!.call.entry.path) ?? failNotFound(exchange!)
    checkSimulated(exchange!, route)
    return exchange!.run(operationOf(route, req), route.params)
  })

  app.use((error: unknown, req: express.Request, _res: express.Response, _next: express.NextFunction) =>
    (req as unknown as ApiRequest).exchange!.sendError(error),
  )

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    ;(req as ApiRequest).exchange = new Exchange(req, res, path, search, context)
    app(req, res)
  }
  return { handle, classes }
}

/**
 * Express sets the prototype of every request and response, which is most of what it costs. Messages of these classes
 * have that prototype from the start: setting it again changes nothing.
 */
function messageClasses(app: express.Express): { Request: typeof IncomingMessage; Response: typeof ServerResponse } {
  class Request extends IncomingMessage implements ApiRequest {
    exchange: Exchange | undefined = undefined
  }
  class Response extends ServerResponse<Request> {}
  Object.defineProperties(Request.prototype, Object.getOwnPropertyDescriptors(express.request))
  Object.defineProperties(Response.prototype, Object.getOwnPropertyDescriptors(express.response))
  app.request = Object.defineProperty(Request.prototype, 'app', { value: app }) as unknown as typeof app.request
  app.response = Object.defineProperty(Response.prototype, 'app', { value: app }) as unknown as typeof app.response
  return { Request, Response: Response as typeof ServerResponse }
}

function failNotFound({ call }: Exchange, served = operations): never {
  const { path } = call.entry
  const paths = served.map(operation => operation.path)
  fail('not_found', { what: `path ${path}`, nearest: nearest(path, paths) })
}

/** docs/api.md 10: paths that only the vendor has are not simulated, and neighbours may be assumed absent. */
function checkSimulated(exchange: Exchange, { unsimulated, methods }: Route) {
  const { call } = exchange
  if (unsimulated !== undefined) {
    if (call.assume('unsimulated_path') === 'not_found') failNotFound(exchange)
    fail('not_simulated', { path: call.entry.path, known: unsimulated })
  }
  const [operation] = methods.values()
  if (operation!.neighbour && call.assume('neighbours') === 'absent')
    failNotFound(
      exchange,
      operations.filter(({ neighbour }) => !neighbour),
    )
}

function operationOf({ methods }: Route, req: IncomingMessage) {
  const method = req.method!
  const operation = methods.get(method)
  if (operation) return operation
  const allow = [...methods.keys()]
  const isPreflight = method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  const preflight = isPreflight ? req.headers.origin?.slice(0, 100) : undefined
  const { path } = (req as ApiRequest).exchange!.call.entry
  fail('method_not_allowed', { method, path, allow, preflight }, { Allow: allow.join(', ') })
}
