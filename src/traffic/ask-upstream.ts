import { type Agent, type IncomingMessage, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { isIP } from 'node:net'
import { hasBody } from '../http/bodies.ts'
import { framing, isWebSocket } from './request-head.ts'
import type { Upstream } from './upstream.ts'

export interface UpstreamQuestion {
  /** Its method, its framing and its body are the question's. */
  req: IncomingMessage
  upstream: Upstream
  address: string
  target: string
  headers: readonly string[]
  agent: Agent
  /** Aborted when the client has left. */
  gone: AbortSignal
}

/** One with `upgrade` is a 101: from there on its socket speaks another protocol. */
export type UpstreamAnswer = IncomingMessage & { upgrade?: boolean }

/** An answer came, and cannot be passed on. */
export class BadAnswer extends Error {}

/** The upstream had closed the connection by which it was asked before. */
class StaleConnection extends Error {}

/** Asks an upstream. Where a kept connection turns out to be closed, and asking twice does no harm, on a new one. */
export async function askUpstream(question: UpstreamQuestion): Promise<UpstreamAnswer> {
  try {
    return await askOnce(question)
  } catch (error) {
    if (error instanceof StaleConnection) return askOnce(question)
    throw error
  }
}

function askOnce({ req, upstream, address, target, headers, agent, gone }: UpstreamQuestion): Promise<UpstreamAnswer> {
  const switches = isWebSocket(req)
  return new Promise((resolve, reject) => {
    const asked = (upstream.tls ? requestTls : request)({
      host: address,
      port: upstream.port,
      method: req.method,
      path: upstream.path + target,
      // As a list they are sent as they are, with repeats and in their spelling.
      headers: [...headers, ...(switches ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : framing(req))] as never,
      agent,
      signal: gone,
      ...(upstream.tls && { rejectUnauthorized: false, servername: isIP(upstream.host) ? '' : upstream.host }),
    })
    let readBefore = 0
    asked.once('socket', ({ bytesRead }) => {
      readBefore = bytesRead
    })
    asked.on('error', error => {
      const stale = asked.reusedSocket && asked.socket?.bytesRead === readBefore && mayBeSentTwice(req)
      reject(stale && !gone.aborted ? new StaleConnection() : explain(error))
    })
    asked.once('response', answer => {
      const problem = flawOf(answer)
      if (problem === undefined) return resolve(answer)
      asked.destroy()
      reject(new BadAnswer(problem))
    })
    asked.once('upgrade', (answer, socket, head) => {
      // An error that nobody listens to would end the process.
      socket.on('error', () => {})
      const problem = switches ? flawOf(answer) : 'it goes on in another protocol, and nobody asked for that'
      if (problem === undefined) {
        if (head.length > 0) socket.unshift(head)
        return resolve(answer)
      }
      socket.destroy()
      reject(new BadAnswer(problem))
    })
    if (!hasBody(req)) return void asked.end()
    // An upstream may answer before it has read everything: what is left of the body is read and thrown away.
    asked.once('close', () => req.unpipe(asked).resume())
    req.pipe(asked)
  })
}

/** RFC 9110, 9.2.2. A body is gone once it was sent. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])
const mayBeSentTwice = (req: IncomingMessage) => IDEMPOTENT.has(req.method!) && !hasBody(req)

function explain(error: NodeJS.ErrnoException & { reason?: string }): Error {
  return error.code?.startsWith('HPE_') ? new BadAnswer(`it is not HTTP (${error.reason ?? error.message})`) : error
}

/** What Node reads and would not write, or has not understood: a 101 that does not say how it goes on. */
function flawOf({ statusCode, statusMessage, upgrade }: UpstreamAnswer): string | undefined {
  if (statusCode! < 200 && !upgrade) return `it has the status ${statusCode}`
  return /[^\t\x20-\x7e\x80-\xff]/.test(statusMessage!) ? 'its reason phrase has control characters' : undefined
}
