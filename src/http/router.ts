import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GuardedRequest, Target } from './guard.ts'

/** As Express has them; requests and responses of Node will do for it. */
type Router = (req: never, res: never, done: (error?: unknown) => void) => void

/** Passes requests that the guard has let in to a router, whose last handlers end all of them. */
export const handlerOf = (router: Router) => (req: IncomingMessage, res: ServerResponse, target: Target) => {
  req.url = target.path + target.search
  const guarded = req as GuardedRequest
  guarded.target = target
  router(guarded as never, res as never, failUnhandled)
}

/** Made once: without it Express would make a handler for what is left with each request. */
const failUnhandled = (error?: unknown) => {
  throw error ?? new Error('No handler of the router has ended the request')
}
