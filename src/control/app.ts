import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import express from 'express'
import { nearest } from '../basics/nearest.ts'
import { describeProblem, listed } from '../basics/problem.ts'
import { runSync, runYielding, type Steps } from '../basics/slices.ts'
import { ApiError, errorReply, fail, toApiError } from '../contract/errors.ts'
import { FileError } from '../files/file-error.ts'
import { isJson, parseJson, readBody as readBytes } from '../http/bodies.ts'
import { originOf } from '../http/client-address.ts'
import { sendJson, sendLongJson } from '../http/json-answer.ts'
import { findProblems } from '../schema/index.ts'
import type { ControlContext } from './context.ts'
import { controlDocument } from './control-openapi.ts'
import { dashboardRoutes } from './page/dashboard-files.ts'
import type { ControlRoute } from './route.ts'
import { controlRoutes } from './routes/index.ts'
import { unknownSandbox } from './routes/sandboxes.ts'

export const BODY_LIMIT = 64 * 1024 * 1024
/** What is read and checked in no time need not wait for what takes long. */
const SHORT_BODY = 4 * 1024

/** The control plane, below `/_sim`: the same rows serve `default` and any sandbox by its name. */
export function createControl(context: ControlContext, onDefect: (error: unknown) => void) {
  const routes = [...controlRoutes(context), ...dashboardRoutes(context.pageFolder)]
  routes.push({
    method: 'get',
    path: '/control.json',
    summary: 'OpenAPI of the control plane',
    global: true,
    answers: [200],
    run: ({ origin }) => ({ status: 200, body: controlDocument(routes, { url: origin, version: context.version }) }),
  })
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  app.enable('case sensitive routing')

  const byPath = new Map<string, ControlRoute[]>()
  for (const row of routes) for (const path of pathsOf(row)) byPath.set(path, [...(byPath.get(path) ?? []), row])
  for (const [path, rows] of byPath) {
    const allow = rows.map(row => row.method.toUpperCase())
    app.route(path).all(async (req, res) => {
      const wanted = req.method === 'HEAD' ? 'get' : req.method.toLowerCase()
      const row = rows.find(({ method }) => method === wanted)
      if (!row) fail('method_not_allowed', { method: req.method, path: req.path, allow }, { Allow: allow.join(', ') })
      await run(row, req, res)
    })
  }

  async function run(row: ControlRoute, req: express.Request, res: express.Response) {
    const { sandbox: name = 'default', ...params } = req.params as Record<string, string>
    const sandbox = context.sandboxes.get(name) ?? unknownSandbox(context, name)
    context.sandboxes.enter(sandbox)
    try {
      const body = row.method === 'get' ? undefined : await readBody(row, req, res)
      const origin = originOf(req, context.trustProxy)
      const query = new URLSearchParams(req.url.slice(req.path.length))
      const reply = await row.run({ sandbox, params, query, body, origin, req, res })
      // A change is answered once it is safe, as on the API; no row has to do this itself.
      if (row.method !== 'get') await Promise.all([sandbox.durable(), sandbox.pendingListeners])
      if (reply) await sendLongJson(res, reply)
    } finally {
      context.sandboxes.leave(sandbox)
    }
  }

  async function readBody(row: ControlRoute, req: express.Request, res: express.Response): Promise<unknown> {
    const bytes = await readBytes(req, res, BODY_LIMIT)
    if (bytes.length === 0) return checkBody(row, {})
    const type = req.headers['content-type']
    if (type !== undefined && !isJson(type)) fail('unsupported_content_type', { received: type.slice(0, 100) })
    const work = checkedBody(row, bytes)
    return bytes.length > SHORT_BODY ? runYielding(work) : runSync(work)
  }

  const known = new Set(routes.flatMap(spellingsOf))
  app.use(req =>
    fail('not_found', {
      what: `path ${req.path}`,
      nearest: nearest(req.path.replace(/^\/_sim\/sandboxes\/[^/]+\//, '/_sim/sandboxes/{sandbox}/'), known),
      exists: 'GET /_sim/control.json lists them.',
    }),
  )

  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) =>
    refuse(res, error),
  )

  function refuse(res: ServerResponse, error: unknown) {
    if (res.headersSent) return void res.destroy()
    const known = error instanceof FileError ? new ApiError('bad_request', { why: error.message }) : toApiError(error)
    if (known.error === 'internal') onDefect(error)
    const { body, ...reply } = errorReply(known, context.vendor)
    // Problems in a text come with their positions, for editors.
    const problems = error instanceof FileError ? { problems: error.problems } : {}
    sendJson(res, { ...reply, body: { ...body, ...problems } })
  }

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    app(req, res)
  }
  return { handle, routes }
}

function* checkedBody(row: ControlRoute, bytes: Buffer): Steps<unknown> {
  return checkBody(row, yield* parseJson(bytes))
}

function checkBody(row: ControlRoute, body: unknown): unknown {
  if (!row.body) {
    if (isDeepStrictEqual(body, {})) return undefined
    fail('bad_request', {
      why: `${row.method.toUpperCase()} /_sim${row.path} does not accept a body. Nothing was changed`,
    })
  }
  const problems = findProblems(row.body, body)
  if (problems.length === 0) return body
  fail('bad_request', {
    why: `The body is not valid: ${listed(problems, problem => describeProblem(problem, 'the body'))}`,
  })
}

const spellingsOf = ({ path, global }: ControlRoute): string[] =>
  global ? [`/_sim${path}`] : [`/_sim${path}`, `/_sim/sandboxes/{sandbox}${path}`]

/** The paths of a row in Express's syntax. */
const pathsOf = (row: ControlRoute) => spellingsOf(row).map(path => path.replace(/\{(\w+)\}/g, ':$1'))
