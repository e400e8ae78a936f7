import express from 'express'
import { toApiError } from '../../engine/errors.ts'
import { sourceFinder } from '../http/client-address.ts'
import type { GuardedRequest } from '../http/guard.ts'
import { sendJson } from '../http/json-reply.ts'
import { handlerOf } from '../http/router.ts'
import { exchange, type Service } from './exchange.ts'
import { compileRoutes } from './routes.ts'
import { DateHeader } from './send.ts'

/**
 * The simulated API. An Express router passes each request to one handler. A layer for every route would cost more than
 * most requests, and an Express application would set the prototype of every request and response.
 */
export function createApi(service: Service) {
  const router = express.Router()
  const context = {
    ...service,
    routeOf: compileRoutes(service.api.catalog),
    sourceOf: sourceFinder(service.trustProxy),
    date: new DateHeader(),
  }
  router.use((req, res) => exchange(req as GuardedRequest & express.Request, res, context))

  // An exchange sends its own errors. Errors here were thrown before its journal entry was open.
  router.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    service.onDefect(error)
    if (res.headersSent) res.destroy()
    else sendJson(res, service.api.errorReply(toApiError(error), service.vendor))
  })

  return { handle: handlerOf(router) }
}
