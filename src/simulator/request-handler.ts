import type { IncomingMessage, ServerResponse } from 'node:http'
import { INSTANCE_HEADER } from '../contract/names.ts'
import { ApiError } from '../engine/error.ts'
import { toApiError } from '../engine/errors.ts'
import { errorReply } from '../server/error-reply.ts'
import { errors } from '../server/errors.ts'
import { guard, type Target } from '../server/http/guard.ts'
import { sendJson } from '../server/http/json-reply.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Refusals } from './refusals.ts'
import type { Settings } from './settings.ts'

export interface Destinations {
  api: { handle(req: IncomingMessage, res: ServerResponse, target: Target): void }
  control: ControlPlane
  refusals: Refusals
  /** Called with internal errors. */
  onDefect(error: unknown): void
}

/** Checks a request with the guard, then passes it to the API or the control plane. */
export function createRequestHandler({ guard: options, instance }: Settings, to: Destinations) {
  const reject = (res: ServerResponse, thrown: unknown) => sendError(res, thrown, { instance, ...to })
  return (req: IncomingMessage, res: ServerResponse) => {
    try {
      const target = guard(req, res, options)
      const { path, preflight, control } = target
      const toPage = path === '/' && isBrowser(req)
      // The API returns 405 for a preflight, as for any OPTIONS. The rejected page is recorded here.
      if (preflight === false)
        to.refusals.add(errors.foreign_page.message({ origin: req.headers.origin?.slice(0, 100) }))
      // The API sets the instance header together with its other headers.
      if (!control && !preflight && !toPage) return to.api.handle(req, res, target)
      res.setHeader(INSTANCE_HEADER, instance)
      if (preflight) res.writeHead(204).end()
      // Handled here, so it does not wait until the control plane is loaded.
      else if (path === '/_sim/health' && (req.method === 'GET' || req.method === 'HEAD'))
        sendJson(res, { status: 200, body: to.control.health() })
      else if (toPage) res.writeHead(302, { Location: '_sim/' }).end()
      else to.control.handle(req, res, target).catch(error => reject(res, error))
    } catch (error) {
      reject(res, error)
    }
  }
}

export type Reporting = Pick<Destinations, 'refusals' | 'onDefect'>

/** Reports an error that occurred before the API or the control plane had the request. */
export function report(thrown: unknown, { refusals, onDefect }: Reporting) {
  if (thrown instanceof ApiError) refusals.add(thrown.message)
  else onDefect(thrown)
}

/** The same, and sends it. */
export function sendError(
  res: ServerResponse,
  thrown: unknown,
  { instance, ...to }: Pick<Settings, 'instance'> & Reporting,
) {
  report(thrown, to)
  if (res.headersSent) return void res.destroy()
  res.setHeader(INSTANCE_HEADER, instance)
  sendJson(res, errorReply(toApiError(thrown)))
}

/** The address was opened in a browser. Other clients get the API's response. */
const isBrowser = (req: IncomingMessage) => req.method === 'GET' && req.headers.accept?.includes('text/html') === true
