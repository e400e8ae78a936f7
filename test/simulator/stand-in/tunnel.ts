import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { afterwards } from '../../support/afterwards.ts'
import type { Simulated } from '../../support/in-process.ts'
import { dial } from '../../support/raw-http.ts'

export const HOST = 'api.ngrok.com'

/** The headers of every good request to the host. */
export const GOOD = { host: HOST, authorization: 'Bearer sim_admin', 'ngrok-version': '2' }

type StandingIn = Pick<Simulated, 'standIn'>

const proxyOf = ({ standIn }: StandingIn) => new URL(standIn!.proxy)

/** The header with the proxy password, or with another one. */
export const passwordFor = (sim: StandingIn, password = proxyOf(sim).password) => ({
  'proxy-authorization': `Basic ${Buffer.from(`edgesim:${password}`).toString('base64')}`,
})

/** Opens a connection through the proxy. Returns its response and the connection. */
export async function tunnel(sim: StandingIn, target = `${HOST}:443`, headers: OutgoingHttpHeaders = passwordFor(sim)) {
  const { hostname, port } = proxyOf(sim)
  const req = request({ host: hostname, port, method: 'CONNECT', path: target, headers, agent: false }).end()
  const [res, socket, head] = (await once(req, 'connect')) as [IncomingMessage, Socket, Buffer]
  socket.on('error', () => {})
  afterwards(() => socket.destroy())
  // An error has a body after its head.
  const said = res.statusCode === 200 ? '' : head + (await text(socket))
  return { status: res.statusCode!, headers: res.headers, socket, body: said && JSON.parse(said) }
}

/** Does the TLS handshake and trusts the authority. */
export async function shakeHands(sim: StandingIn, socket: Socket, servername: string = HOST): Promise<TLSSocket> {
  const secure = connect({
    socket,
    servername,
    host: servername,
    ca: sim.standIn!.certificate,
    ALPNProtocols: ['h2', 'http/1.1'],
  })
  afterwards(() => secure.destroy())
  await once(secure, 'secureConnect')
  return secure
}

interface Asked {
  method?: string
  path?: string
  headers?: OutgoingHttpHeaders
  body?: unknown
}

/** Sends one request on a connection, or an absolute URL to the proxy. */
export async function ask(
  at: Socket | { host: string; port: string },
  { method = 'GET', path = '/api_keys', headers = GOOD, body }: Asked = {},
) {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const type =
    sent === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
  const to = 'write' in at ? { createConnection: () => at } : { ...at, agent: false }
  const req = request({ ...to, method, path, headers: { ...type, ...headers }, setHost: false }).end(sent)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const response = await text(res)
  return { status: res.statusCode!, headers: res.headers, body: response === '' ? null : JSON.parse(response) }
}

export const reachHost = async (sim: StandingIn, host = HOST) =>
  shakeHands(sim, (await tunnel(sim, `${host}:443`)).socket, host)

export function askProxy(sim: StandingIn, url: string, { headers, ...rest }: Omit<Asked, 'path'> = {}) {
  const { hostname, port } = proxyOf(sim)
  return ask({ host: hostname, port }, { ...rest, path: url, headers: { ...GOOD, ...passwordFor(sim), ...headers } })
}

/** Connects to the proxy and sends a head with the password. */
export function dialProxy(sim: StandingIn, start: string, lines: string[] = []) {
  const password = `Proxy-Authorization: ${passwordFor(sim)['proxy-authorization']}`
  const dialled = dial(Number(proxyOf(sim).port))
  dialled.socket.write([start, password, ...lines, '', ''].join('\r\n'), 'latin1')
  return dialled
}
