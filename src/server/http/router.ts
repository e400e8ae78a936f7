import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GuardedRequest, Target } from './guard.ts'

/** An Express router, which accepts Node's requests and responses. */
type Router = (req: never, res: never, done: (error?: unknown) => void) => void

/** Passes allowed requests to a router. Its last handlers end all of them. */
export const handlerOf = (router: Router) => (req: IncomingMessage, res: ServerResponse, target: Target) => {
  req.url = target.path + target.search
  const guarded = req as GuardedRequest
  guarded.target = target
  router(guarded as never, res as never, failUnhandled)
}

/** Created once. Without it, Express creates a final handler for each request. */
const failUnhandled = (error?: unknown) => {
  throw error ?? new Error('No handler of the router ended the request')
}
