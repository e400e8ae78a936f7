import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { fail } from '../errors.ts'
import { operations } from '../resources/index.ts'
import type { Operation } from '../schema/index.ts'
import { nearest } from '../words/nearest.ts'
import { Exchange, type Service } from './exchange.ts'
import { type ApiRequest, expressMessages } from './express-messages.ts'

/** The simulated API, and the message classes that its HTTP server must use. */
export function createApi(service: Service) {
  const app = express()
  const classes = expressMessages(app)
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing').set('etag', false)
  app.set('query parser', false)

  for (const [path, methods] of routes()) {
    app.all(path, req => {
      const operation = methods.get(req.method)
      if (operation) return exchangeOf(req).run(operation, req.params as Record<string, string>)
      const allow = [...methods.keys()]
      const asked = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
      const preflight = asked ? req.headers.origin?.slice(0, 100) : undefined
      fail('method_not_allowed', { method: req.method, path: req.path, allow, preflight }, { Allow: allow.join(', ') })
    })
  }

  app.use(req => {
    fail('not_found', {
      what: `path ${req.path}`,
      nearest: nearest(
        req.path,
        operations.map(({ path }) => path),
      ),
    })
  })

  app.use((error: unknown, req: express.Request, _res: express.Response, _next: express.NextFunction) =>
    exchangeOf(req).refuse(error),
  )

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    const request = req as ApiRequest
    request.exchange = new Exchange(req, res, { path, search }, service)
    app(req, res)
  }
  return { handle, classes }
}

const exchangeOf = (req: IncomingMessage) => (req as ApiRequest).exchange!

/** The paths, each with its operations by method. */
function routes(): Map<string, Map<string, Operation>> {
  const paths = new Map<string, Map<string, Operation>>()
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    const methods = paths.get(path) ?? new Map()
    paths.set(path, methods.set(operation.method, operation))
  }
  return paths
}
