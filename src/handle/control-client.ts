import * as http from 'node:http'
import * as https from 'node:https'
import type { TLSSocket } from 'node:tls'
import { SimulatorError } from '../simulator-error.ts'
import type { Chunks } from './event-reader.ts'

export interface ControlAccess {
  url: string
  controlToken?: string
  /** Of a simulator that serves HTTPS: its own certificate, which nobody else vouches for. */
  ca?: string
  /** Of the certificate of a simulator in this process: it is trusted whoever signed it, and for whatever name. */
  fingerprint?: string
}

/** A refusal of the control plane. */
export class ControlError extends SimulatorError {
  override name = 'ControlError'
  constructor(
    readonly status: number,
    readonly body: { msg?: string; error_code?: string } & Record<string, unknown>,
  ) {
    super('CONTROL_REFUSED', body.msg ?? `The control plane answered with status ${status}`)
  }
}

/** Talks to `/_sim` of a running simulator, in this process or another. */
export class ControlClient {
  constructor(readonly access: ControlAccess) {}

  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, text } = await this.#request(method, path, body === undefined ? undefined : JSON.stringify(body))
    const value = text === '' ? undefined : parse(text)
    if (value === NOT_JSON)
      throw new SimulatorError(
        'NOT_EDGESIM',
        `What answers at ${this.access.url} is not edgesim: its answer is not JSON.`,
      )
    if (status >= 400) throw new ControlError(status, value ?? {})
    return value as T
  }

  /** The answer as it comes, for those that do not end. */
  async open(path: string): Promise<Chunks> {
    return (await this.#send('GET', path, undefined)).setEncoding('utf8')
  }

  async #request(method: string, path: string, body: string | undefined): Promise<{ status: number; text: string }> {
    const res = await this.#send(method, path, body)
    let text = ''
    for await (const chunk of res.setEncoding('utf8')) text += chunk
    return { status: res.statusCode!, text }
  }

  #send(method: string, path: string, body: string | undefined): Promise<http.IncomingMessage> {
    const { url, controlToken, ca, fingerprint } = this.access
    const headers: Record<string, string | number> = {}
    if (body !== undefined)
      Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    if (controlToken) headers.authorization = `Bearer ${controlToken}`
    const { request } = url.startsWith('https:') ? https : http
    const trust = fingerprint === undefined ? { ca } : { rejectUnauthorized: false }
    return new Promise((resolve, reject) => {
      const req = request(`${url}/_sim${path}`, { method, headers, agent: false, ...trust }, resolve)
      if (fingerprint !== undefined) req.once('socket', socket => pin(socket as TLSSocket, fingerprint))
      req.on('error', cause =>
        reject(
          new SimulatorError('UNREACHABLE', `The simulator at ${url} cannot be reached: ${cause.message}`, { cause }),
        ),
      )
      req.end(body)
    })
  }
}

function pin(socket: TLSSocket, fingerprint: string) {
  socket.once('secureConnect', () => {
    if (socket.getPeerCertificate().fingerprint256 !== fingerprint)
      socket.destroy(new Error('it has another certificate than the one it was started with'))
  })
}

const NOT_JSON = Symbol('not JSON')

// biome-ignore lint/suspicious/noExplicitAny: the shape is up to the route
function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return NOT_JSON
  }
}
