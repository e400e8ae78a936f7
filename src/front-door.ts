import type { IncomingMessage, ServerResponse } from 'node:http'
import type { createApi } from './api/app.ts'
import type { createControl } from './control/app.ts'
import { ApiError, errorReply, toApiError } from './errors.ts'
import { type GuardOptions, guard } from './guard.ts'
import { sendJson } from './json-answer.ts'
import { INSTANCE_HEADER } from './words/instance.ts'

export interface FrontDoor {
  guard: GuardOptions
  vendor: string
  instance: string
  api: ReturnType<typeof createApi>
  /** Whether it can serve, in a few words: what people wait for, so it must not wait for the control plane to be loaded. */
  health(): object
  /** Loaded when it is first asked for: many a start is over before. */
  control(): Promise<ReturnType<typeof createControl>>
  warn(text: string): void
  /** Called with errors that are bugs of ours. */
  onDefect(error: unknown): void
}

/** Different refusals that are told in the log. */
const MOST_TOLD = 20

/** Where a request goes, if it is let in: to the API, or to the control plane. */
export function openDoor(door: FrontDoor): (req: IncomingMessage, res: ServerResponse) => void {
  const { api, control, vendor, instance } = door
  const told = new Set<string>()

  /** What is refused here is in no journal: without a word in the log nobody would know which option lets it in. */
  function tellOnce({ message }: Error) {
    if (told.has(message) || told.size >= MOST_TOLD) return
    told.add(message)
    door.warn(`a request was refused: ${message}`)
  }

  function refuse(res: ServerResponse, thrown: unknown) {
    const error = toApiError(thrown)
    if (thrown instanceof ApiError) tellOnce(error)
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
