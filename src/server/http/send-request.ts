import * as http from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { SimulatorAddress } from '../../contract/names.ts'

export interface OutgoingRequest {
  method: string
  /** Sent unchanged, including `..`. */
  path: string
  headers?: http.OutgoingHttpHeaders
  body?: string
  signal?: AbortSignal
}

export interface RequestTarget extends SimulatorAddress {
  /** The resolved addresses of the host. Without them, it is resolved now. */
  addresses?: readonly string[]
}

export class SwitchedProtocol extends Error {
  override message = 'it returned status 101, although the request has no Upgrade header'
}

/** Sends one request on a new connection: to a simulator, the real API, or an event receiver. */
export async function sendRequest(
  { url, ca, fingerprint, anyCertificate, addresses }: RequestTarget,
  question: OutgoingRequest,
): Promise<http.IncomingMessage> {
  const { method, path, headers, body, signal } = question
  const at = new URL(url)
  const { request } = at.protocol === 'https:' ? process.getBuiltinModule('node:https') : http
  const trust = fingerprint === undefined && !anyCertificate ? { ca } : { rejectUnauthorized: false }
  const target = at.pathname.replace(/\/$/, '') + path
  const lookup = addresses && lookupAs(addresses)
  return new Promise((resolve, reject) => {
    const req = request(at, { method, path: target, headers, agent: false, signal, lookup, ...trust }, resolve)
    if (fingerprint !== undefined) req.once('socket', socket => pin(socket as TLSSocket, fingerprint))
    req.on('error', reject)
    req.on('upgrade', (_res, socket) => {
      socket.destroy()
      reject(new SwitchedProtocol())
    })
    req.end(body)
  })
}

function lookupAs(addresses: readonly string[]): LookupFunction {
  const found = addresses.map(address => ({ address, family: isIP(address) }))
  return (_host, { all }, done) => (all ? done(null, found) : done(null, found[0]!.address, found[0]!.family))
}

function pin(socket: TLSSocket, fingerprint: string) {
  socket.once('secureConnect', () => {
    if (socket.getPeerCertificate().fingerprint256 !== fingerprint)
      socket.destroy(new Error('its certificate changed since startup'))
  })
}
