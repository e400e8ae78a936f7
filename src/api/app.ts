import type { IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import { fail } from '../errors.ts'
import { operate, type Reply } from '../operations/index.ts'
import { operations } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { meetRules } from '../scenarios/index.ts'
import type { Operation } from '../schema/index.ts'
import { nearest } from '../words/nearest.ts'
import { readBody } from './body.ts'
import { authenticate, checkVersion } from './checks.ts'
import { closeEntry, closeFaulted } from './close.ts'
import { interfere, withHeaders } from './interfere.ts'
import { messageClasses } from './messages.ts'
import { type ApiOptions, openCall } from './open.ts'
import { errorReply, send } from './send.ts'
import { checkSource } from './source-gate.ts'
import { createWire } from './wire.ts'

interface Exchange {
  call: Call
  refused?: unknown
  began: number
  /** What rules add to the answer, whatever it is. */
  headers?: Record<string, string>
}

interface Hooks {
  /** A failure that is ours: worth a line in the log. */
  onDefect(error: unknown): void
}

/** The simulated service, and the classes of messages that the server it is put into should use. */
export function createApi(sandboxes: Sandboxes, options: ApiOptions, hooks: Hooks) {
  const app = express()
  const classes = messageClasses(app)
  app.disable('x-powered-by').enable('case sensitive routing').enable('strict routing').set('etag', false)
  app.set('query parser', false)

  const exchanges = new WeakMap<object, Exchange>()

  for (const [path, methods] of routes()) {
    app.all(path, async (req, res) => {
      const exchange = exchanges.get(req)!
      const { call, refused } = exchange
      const operation = methods.get(req.method)
      if (!operation) {
        const allow = [...methods.keys()]
        fail('method_not_allowed', { method: req.method, path: req.path, allow }, { Allow: allow.join(', ') })
      }
      call.operation = operation
      call.entry.operation = operation.id
      call.params = req.params as Record<string, string>
      if (refused) throw refused
      authenticate(call, req)
      checkVersion(call, req, options.vendor)
      checkSource(call)
      const carryOut = async () => {
        call.body = await readBody(req, res, operation.takesBody)
        call.checkLife()
        const reply = operate(call)
        if (call.change && call.sandbox.log?.settled) await call.sandbox.settled()
        return reply
      }
      const effects = meetRules(call)
      if (!effects) return finish(req, res, await carryOut())
      exchange.headers = effects.headers
      const wire = createWire(req, res, call, options.rawSocket(req.socket))
      const reply = await interfere({ call, effects, wire, vendor: options.vendor, carryOut })
      if (reply) finish(req, res, reply)
      else closeFaulted(call, wire.sent, performance.now() - exchange.began)
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

  app.use((error: unknown, req: express.Request, res: express.Response, _next: express.NextFunction) => {
    if (res.headersSent) return res.destroy()
    const reply = errorReply(error, options.vendor, exchanges.get(req)?.call.id)
    if (reply.status === 500) hooks.onDefect(error)
    finish(req, res, reply, error)
  })

  function finish(req: express.Request, res: express.Response, reply: Reply, error?: unknown) {
    const { call, began, headers } = exchanges.get(req)!
    // A client that has left gets no answer, and the journal says so.
    const left = req.socket.destroyed
    const sent = send(res, call, withHeaders(reply, headers))
    closeEntry(
      call,
      left ? null : { ...sent, status: reply.status, body: reply.body },
      performance.now() - began,
      error,
    )
  }

  function handle(req: IncomingMessage, res: ServerResponse, path: string, search: string) {
    req.url = path + search
    exchanges.set(req, { ...openCall(req, path, search, sandboxes, options), began: performance.now() })
    app(req, res)
  }
  return { handle, classes }
}

/** Each path once, with its operations by method: what is not among them is a 405 that names them. */
function routes(): Map<string, Map<string, Operation>> {
  const paths = new Map<string, Map<string, Operation>>()
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    const methods = paths.get(path) ?? new Map()
    paths.set(path, methods.set(operation.method, operation))
  }
  return paths
}
