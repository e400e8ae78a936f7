import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { errorBody, fail, toApiError } from '../errors.ts'
import { nearest } from '../files/nearest.ts'
import type { ControlRoute } from './route.ts'
import { controlRoutes, type World } from './routes.ts'

const BODY_LIMIT = '64mb'

/** The control plane, below `/_sim`: the same rows serve `default` and any sandbox by its name. */
export function createControl(world: World, onDefect: (error: unknown) => void) {
  const routes = controlRoutes(world)
  const app = express().disable('x-powered-by').set('etag', false).set('query parser', false)
  const json = express.json({ limit: BODY_LIMIT, strict: false, type: () => true })
  const paths = new Set(routes.flatMap(pathsOf))

  for (const path of paths) {
    const methods = routes.filter(route => pathsOf(route).includes(path))
    const allow = methods.map(route => route.method.toUpperCase())
    app.all(path, async (req, res) => {
      const wanted = req.method === 'HEAD' ? 'get' : req.method.toLowerCase()
      const route = methods.find(({ method }) => method === wanted)
      if (!route) fail('method_not_allowed', { method: req.method, path: req.path, allow }, { Allow: allow.join(', ') })
      const { sandbox: name = 'default', ...params } = req.params as Record<string, string>
      const sandbox = world.sandboxes.get(name)
      if (!sandbox) fail('not_found', { what: `sandbox "${name}"`, nearest: nearest(name, sandboxNames(world)) })
      const body = route.takesBody ? await readBody(req, res) : undefined
      const origin = `${req.protocol}://${req.headers.host}`
      const reply = await route.run({
        sandbox,
        params,
        query: new URLSearchParams(req.url.split('?')[1]),
        body,
        origin,
      })
      if (reply.body === undefined)
        res
          .status(reply.status)
          .set(reply.headers ?? {})
          .end()
      else
        res
          .status(reply.status)
          .set(reply.headers ?? {})
          .json(reply.body)
    })
  }

  function readBody(req: express.Request, res: express.Response): Promise<unknown> {
    const type = req.headers['content-type']
    if (type !== undefined && !/^application\/json\b/i.test(type))
      fail('unsupported_content_type', { received: type.slice(0, 100) })
    return new Promise((resolve, reject) => json(req, res, error => (error ? reject(error) : resolve(req.body ?? {}))))
  }

  app.use(req => fail('not_found', { what: `path ${req.path}`, nearest: nearest(req.path, paths) }))

  app.use((error: unknown, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
    if (res.headersSent) return res.destroy()
    const known = toApiError(error, '64 MB')
    if (known.error === 'internal') onDefect(error)
    res
      .status(known.row.status)
      .set({ ...known.row.headers, ...known.headers })
      .json(errorBody(known, world.vendor))
  })

  return (req: IncomingMessage, res: ServerResponse, path: string, search: string) => {
    req.url = path + search
    app(req, res)
  }
}

const sandboxNames = (world: World) => world.sandboxes.list().map(({ name }) => name)

function pathsOf(route: ControlRoute): string[] {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  return route.global ? [`/_sim${path}`] : [`/_sim${path}`, `/_sim/sandboxes/:sandbox${path}`]
}
