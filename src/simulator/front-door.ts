import type { IncomingMessage, ServerResponse } from 'node:http'
import type { createApi } from '../api/app.ts'
import { wallClock } from '../basics/real-time.ts'
import { ApiError, errorReply, errors, toApiError } from '../contract/errors.ts'
import { INSTANCE_HEADER } from '../contract/names.ts'
import type { createControl } from '../control/app.ts'
import { type GuardOptions, guard } from '../http/guard.ts'
import { sendJson } from '../http/json-answer.ts'

export interface FrontDoor {
  guard: GuardOptions
  vendor: string
  instance: string
  api: ReturnType<typeof createApi>
  /** Whether it can serve, in a few words: what people wait for, so it must not wait for the control plane to be loaded. */
  health(): object
  /** Loaded when it is first asked for: many a start is over before. */
  control(): Promise<ReturnType<typeof createControl>>
  /** Filled here: what was refused lately, and when it last was; the latest last. */
  refusals: Map<string, string>
  warn(text: string): void
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** Different refusals that are told in the log, and that are remembered. */
const MOST_TOLD = 20

/** Where a request goes, if it is let in: to the API, or to the control plane. */
export function createRequestHandler(door: FrontDoor): (req: IncomingMessage, res: ServerResponse) => void {
  const { api, control, vendor, instance, refusals } = door
  const told = new Set<string>()

  /** What is refused here is in no sandbox's journal: without a word nobody would know which option lets it in. */
  function note(msg: string) {
    refusals.delete(msg)
    refusals.set(msg, new Date(wallClock()).toISOString())
    if (refusals.size > MOST_TOLD) refusals.delete(refusals.keys().next().value!)
    if (told.has(msg) || told.size >= MOST_TOLD) return
    told.add(msg)
    door.warn(`a request was refused: ${msg}`)
  }

  function refuse(res: ServerResponse, thrown: unknown) {
    const error = toApiError(thrown)
    if (thrown instanceof ApiError) note(error.message)
    else door.onDefect(thrown)
    if (res.headersSent) return void res.destroy()
    res.setHeader(INSTANCE_HEADER, instance)
    sendJson(res, errorReply(error, vendor))
  }

  return (req, res) => {
    try {
      const target = guard(req, res, door.guard)
      const { path, search, preflight } = target
      const toPage = path === '/' && isBrowser(req)
      // The API answers 405 to it, as to any OPTIONS. That a page was refused is told here.
      if (preflight === false) note(errors.foreign_page.message({ origin: req.headers.origin?.slice(0, 100) }))
      // The API does this itself, in the way that costs it least.
      if (!target.control && !preflight && !toPage) return api.handle(req, res, path, search)
      res.setHeader(INSTANCE_HEADER, instance)
      if (preflight) res.writeHead(204).end()
      else if (path === '/_sim/health' && (req.method === 'GET' || req.method === 'HEAD'))
        sendJson(res, { status: 200, body: door.health() })
      else if (toPage) res.writeHead(302, { Location: '/_sim/' }).end()
      else
        control()
          .then(plane => plane.handle(req, res, path, search))
          .catch(error => refuse(res, error))
    } catch (error) {
      refuse(res, error)
    }
  }
}

/** Somebody who opened the address to look at it; any other client is told what the API says. */
const isBrowser = (req: IncomingMessage) => req.method === 'GET' && req.headers.accept?.includes('text/html') === true
