import * as http from 'node:http'
import * as https from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { SimulatorAddress } from '../contract/names.ts'

export interface Question {
  method: string
  /** Sent as it is, `..` included. */
  path: string
  headers?: http.OutgoingHttpHeaders
  body?: string
  signal?: AbortSignal
}

/** Sends one request on a connection of its own: to a simulator, in this process or another, or to the real service. */
export async function ask(
  { url, ca, fingerprint, anyCertificate }: SimulatorAddress,
  question: Question,
): Promise<http.IncomingMessage> {
  const { method, path, headers, body, signal } = question
  const at = new URL(url)
  const { request } = at.protocol === 'https:' ? https : http
  const trust = fingerprint === undefined && !anyCertificate ? { ca } : { rejectUnauthorized: false }
  const target = at.pathname.replace(/\/$/, '') + path
  return new Promise((resolve, reject) => {
    const req = request(at, { method, path: target, headers, agent: false, signal, ...trust }, resolve)
    if (fingerprint !== undefined) req.once('socket', socket => pin(socket as TLSSocket, fingerprint))
    req.on('error', reject)
    req.on('upgrade', (_res, socket) => {
      socket.destroy()
      reject(new Error('it answers with status 101, though nobody asked for another protocol'))
    })
    req.end(body)
  })
}

function pin(socket: TLSSocket, fingerprint: string) {
  socket.once('secureConnect', () => {
    if (socket.getPeerCertificate().fingerprint256 !== fingerprint)
      socket.destroy(new Error('it has another certificate than the one it was started with'))
  })
}
