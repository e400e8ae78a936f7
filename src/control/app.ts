import { isDeepStrictEqual } from 'node:util'
import express from 'express'
import { nearest } from '../basics/nearest.ts'
import { describeProblem, listed } from '../basics/problem.ts'
import { BODY } from '../contract/lengths.ts'
import { ApiError, fail } from '../engine/error.ts'
import { errors, toApiError } from '../engine/errors.ts'
import { FileError } from '../engine/files/file-error.ts'
import { applyDue } from '../engine/operations/index.ts'
import { errorReply } from '../server/error-reply.ts'
import { isJson, parseLongJson, readBody as readBytes } from '../server/http/bodies.ts'
import { originOf } from '../server/http/client-address.ts'
import type { GuardedRequest } from '../server/http/guard.ts'
import { sendJson } from '../server/http/json-reply.ts'
import { handlerOf } from '../server/http/router.ts'
import type { ControlContext } from './context.ts'
import { controlDocument } from './control-openapi.ts'
import { ALL, EventHub } from './journal/event-hub.ts'
import { dashboardRoutes } from './page/dashboard-files.ts'
import { docsRoutes } from './page/docs.ts'
import { get, pathsOf, Reply, type Route, reject } from './route.ts'
import { callRoutes } from './routes/call.ts'
import { clockRoutes } from './routes/clock.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { infoRoutes } from './routes/info.ts'
import { journalRoutes } from './routes/journal.ts'
import { recordRoutes } from './routes/records.ts'
import { failUnknownSandbox, sandboxRoutes } from './routes/sandboxes.ts'
import { scenarioRoutes } from './routes/scenario.ts'
import { stateRoutes } from './routes/state.ts'
import { trafficRoutes } from './routes/traffic.ts'

/** JSON.parse blocks the event loop for 8 to 10 ms per MB. */
export const MAX_CONTROL_BODY_BYTES = 16 * 1024 * 1024
const LARGER_STATE = 'Start edgesim with a larger state as its fixture: edgesim FILE.'

/** The control API, under `/_sim`. The same routes serve `default` and any sandbox by name. */
export function createControl(given: Omit<ControlContext, 'events'>, onDefect: (error: unknown) => void) {
  const events = new EventHub()
  const context: ControlContext = { ...given, events }
  const routes = [
    ...infoRoutes(context),
    ...stateRoutes(context),
    ...callRoutes(context),
    ...journalRoutes(context),
    ...clockRoutes,
    ...scenarioRoutes(context),
    ...recordRoutes,
    ...(context.traffic ? trafficRoutes(context.traffic) : []),
    ...deliveryRoutes,
    ...sandboxRoutes(context),
    ...dashboardRoutes,
    ...docsRoutes,
    get('/control.json', 'Get the OpenAPI description of the control API', {
      global: true,
      run: ({ origin }): object => controlDocument(routes, { url: origin, version: context.version }),
    }),
  ]
  const { sandboxes } = context
  // Event readers get due changes even without requests.
  events.onBeat = name => {
    for (const each of sandboxes.list()) if (name === ALL || name === each.name) applyDue(each)
  }
  const router = express.Router({ caseSensitive: true })

  const byPath = new Map<string, Route[]>()
  for (const route of routes) for (const path of pathsOf(route)) byPath.set(path, [...(byPath.get(path) ?? []), route])
  for (const [path, methods] of byPath) {
    const allow = methods.map(({ method }) => method.toUpperCase())
    router.route(path.replace(/\{(\w+)\}/g, ':$1')).all(async (given, res) => {
      const req = given as ControlRequest
      const wanted = req.method === 'HEAD' ? 'get' : req.method.toLowerCase()
      const route = methods.find(({ method }) => method === wanted)
      if (!route)
        fail(
          errors.method_not_allowed,
          { method: req.method, path: req.target.path, allow },
          { Allow: allow.join(', ') },
        )
      await run(route, req, res)
    })
  }

  async function run(route: Route, req: ControlRequest, res: express.Response) {
    const { sandbox: name = 'default', ...params } = req.params as Record<string, string>
    const sandbox = context.sandboxes.get(name) ?? failUnknownSandbox(context, name)
    context.sandboxes.enter(sandbox)
    try {
      const body = route.method === 'get' ? undefined : await readBody(route, req, res)
      const origin = originOf(req, context.trustProxy)
      const query = new URLSearchParams(req.target.search)
      applyDue(sandbox)
      const result = await route.run({ sandbox, params, query, body, origin, req, res })
      // The clock may have been set.
      if ([sandbox.name, ALL].some(each => events.isRead(each))) applyDue(sandbox)
      if (route.method !== 'get') await context.settled?.(sandbox)
      if (!res.headersSent) sendJson(res, replyOf(route, result))
    } finally {
      context.sandboxes.leave(sandbox)
    }
  }

  async function readBody(route: Route, req: express.Request, res: express.Response): Promise<unknown> {
    const bytes = await readBytes(req, res, MAX_CONTROL_BODY_BYTES)
    if (bytes.length === 0) return checkBody(route, {})
    const type = req.headers['content-type']
    if (type !== undefined && !isJson(type)) fail(errors.unsupported_content_type, { received: type.slice(0, 100) })
    const value = parseLongJson(bytes, route.lengths ?? BODY)
    return checkBody(route, value)
  }

  router.use(req => {
    const { path } = (req as ControlRequest).target
    const known = path.replace(/^\/_sim\/sandboxes\/[^/]+\//, '/_sim/sandboxes/{sandbox}/')
    const exists = 'GET /_sim/control.json lists them.'
    fail(errors.not_found, { what: `path ${path}`, nearest: nearest(known, byPath.keys()), exists })
  })

  router.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    if (res.headersSent) return void res.destroy()
    const apiError = controlError(error)
    if (apiError.error === 'internal') onDefect(error)
    const { body, ...reply } = errorReply(apiError)
    // Editors show the positions of problems in files.
    const problems = error instanceof FileError ? { problems: error.problems } : {}
    sendJson(res, { ...reply, body: { ...body, ...problems } })
  })

  return { handle: handlerOf(router), events, routes }
}

type ControlRequest = GuardedRequest & express.Request

function controlError(error: unknown): ApiError {
  if (error instanceof FileError) return ApiError.of(errors.bad_request, { why: error.message })
  const apiError = toApiError(error)
  if (apiError.kind !== errors.body_too_large) return apiError
  const { limit } = apiError.params as { limit: string }
  return ApiError.of(errors.body_too_large, { limit, instead: LARGER_STATE })
}

function checkBody(route: Route, body: unknown): unknown {
  if (!route.body) {
    if (isDeepStrictEqual(body, {})) return undefined
    reject(
      `${route.method.toUpperCase()} /_sim${route.path} does not accept a body. Nothing was changed. Send the request without one`,
    )
  }
  const problems = route.body.find(body)
  if (!problems) return body
  reject(`The body is invalid: ${listed(problems, problem => describeProblem(problem, 'the body'))}`)
}

function replyOf({ statuses: [status] }: Route, result: unknown): Reply {
  if (result instanceof Reply) return result
  return new Reply(status!, status === 204 ? undefined : result)
}
