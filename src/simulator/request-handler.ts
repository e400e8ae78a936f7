import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, errorReply, errors, toApiError } from '../contract/errors.ts'
import { INSTANCE_HEADER } from '../contract/names.ts'
import { guard, type Target } from '../http/guard.ts'
import { sendJson } from '../http/json-reply.ts'
import type { ControlPlane } from './control-plane.ts'
import type { Refusals } from './refusals.ts'
import type { Settings } from './settings.ts'

export interface Destinations {
  api: { handle(req: IncomingMessage, res: ServerResponse, target: Target): void }
  control: ControlPlane
  refusals: Refusals
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** Asks the guard, then passes the request on to the API or the control plane. */
export function createRequestHandler({ guard: options, vendor, instance }: Settings, to: Destinations) {
  const refuse = (res: ServerResponse, thrown: unknown) => sendError(res, thrown, { vendor, instance, ...to })
  return (req: IncomingMessage, res: ServerResponse) => {
    try {
      const target = guard(req, res, options)
      const { path, preflight, control } = target
      const toPage = path === '/' && isBrowser(req)
      // The API answers 405 to a preflight, as to any OPTIONS; that a page was refused is noted here.
      if (preflight === false)
        to.refusals.add(errors.foreign_page.message({ origin: req.headers.origin?.slice(0, 100) }))
      // The API sets the instance header itself, together with its others.
      if (!control && !preflight && !toPage) return to.api.handle(req, res, target)
      res.setHeader(INSTANCE_HEADER, instance)
      if (preflight) res.writeHead(204).end()
      // Answered here, so that it does not wait until the control plane is loaded.
      else if (path === '/_sim/health' && (req.method === 'GET' || req.method === 'HEAD'))
        sendJson(res, { status: 200, body: to.control.health() })
      else if (toPage) res.writeHead(302, { Location: '_sim/' }).end()
      else to.control.handle(req, res, target).catch(error => refuse(res, error))
    } catch (error) {
      refuse(res, error)
    }
  }
}

/** Where it is told what was thrown. */
export type Reporting = Pick<Destinations, 'refusals' | 'onDefect'>

/** Tells of what was thrown before the API or the control plane had a request. */
export function report(thrown: unknown, { refusals, onDefect }: Reporting) {
  if (thrown instanceof ApiError) refusals.add(thrown.message)
  else onDefect(thrown)
}

/** The same, and answers with it. */
export function sendError(
  res: ServerResponse,
  thrown: unknown,
  { vendor, instance, ...to }: Pick<Settings, 'vendor' | 'instance'> & Reporting,
) {
  report(thrown, to)
  if (res.headersSent) return void res.destroy()
  res.setHeader(INSTANCE_HEADER, instance)
  sendJson(res, errorReply(toApiError(thrown), vendor))
}

/** Someone opened the address in a browser. Other clients get the API's answer. */
const isBrowser = (req: IncomingMessage) => req.method === 'GET' && req.headers.accept?.includes('text/html') === true
