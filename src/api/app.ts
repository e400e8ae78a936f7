import { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { errorReply, toApiError } from '../contract/errors.ts'
import { sourceFinder } from '../http/client-address.ts'
import { sendJson } from '../http/json-answer.ts'
import { exchange, type Service } from './exchange.ts'
import { compileRoutes } from './routes.ts'
import { DateHeader } from './send.ts'

/**
 * The simulated API, and the message classes that its HTTP server must use. Express passes each request to one handler:
 * trying a layer for every route would cost more than most requests do.
 */
export function createApi(service: Service) {
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  const classes = messageClasses(app)
  const context = {
    ...service,
    routeOf: compileRoutes(),
    sourceOf: sourceFinder(service.trustProxy),
    date: new DateHeader(),
  }
  app.use((req, res) => exchange(req, res, context))

  // An exchange answers its own errors. What arrives here was thrown before its journal entry was open.
  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    service.onDefect(error)
    if (res.headersSent) res.destroy()
    else sendJson(res, errorReply(toApiError(error), service.vendor))
  })

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    app(req, res)
  }
  return { handle, classes }
}

/**
 * Express sets the prototype of every request and response, which is most of what it costs. Messages of these classes
 * have that prototype from the start: setting it again changes nothing.
 */
function messageClasses(app: express.Express): { Request: typeof IncomingMessage; Response: typeof ServerResponse } {
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(Request.prototype, app.request)
  Object.setPrototypeOf(Response.prototype, app.response)
  Object.assign(app, { request: Request.prototype, response: Response.prototype })
  return { Request, Response }
}
