import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect } from 'vitest'
import type { Decision } from '../../../src/contract/traffic.ts'
import type { Hooks, Parts } from '../../../src/simulator/types.ts'
import { listening } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

export const USERS = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
}

export function echo(onSocket: (socket: Socket) => void = () => {}) {
  return listening(
    createServer({ allowHalfOpen: true }, socket => {
      onSocket(socket)
      socket.pipe(socket)
    }),
  )
}

export const httpUpstream = (listener: RequestListener) => listening(createHttpServer(listener))

/** Responds with the request headers, unchanged. */
export const echoHeaders: RequestListener = (req, res) => {
  res.setHeader('Content-Type', 'application/json')
  res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.rawHeaders }))
}

export const headerEcho = () => httpUpstream(echoHeaders)

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** The TCP edge `edgtcp_a`, for a fixture. */
export const tcpEdge = (upstream: number, more: object = {}) => ({
  tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream}`, ...more }],
})

/** The HTTPS edge `edghts_a` with the route `edghtsrt_a`, for a fixture. */
export const httpsEdge = (upstream: number, route: object = {}) => ({
  https_edges: [
    {
      id: 'edghts_a',
      listen: 'http://127.0.0.1:0',
      routes: [{ id: 'edghtsrt_a', upstream: `http://127.0.0.1:${upstream}`, ...route }],
    },
  ],
})

export const UPGRADE = 'GET /ws HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

export const pairs = (raw: string[]) =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as [string, string]] : []))

/** A simulator with edges, and queries about them. */
export async function withEdges(
  state: Record<string, unknown>,
  options: Record<string, unknown> = {},
  inner: Hooks & Parts = {},
) {
  const simulator = await simulate({ fixture: { ...USERS, ...state }, ...options } as never, inner)
  const { call } = simulator
  const traffic = async (base = '/_sim') => (await call('GET', `${base}/traffic`)).body
  const portOf = async (edge: string, base = '/_sim') => {
    const found = (await traffic(base)).listeners.find((each: { edge: string }) => each.edge === edge)
    expect(found).toMatchObject({ port: expect.any(Number) })
    return found.port as number
  }
  const decisions = async (): Promise<Decision[]> => (await traffic()).decisions
  const latest = async () => (await decisions())[0]!
  const check = async (question: object) => (await call('POST', '/_sim/traffic/check', question)).body
  return { ...simulator, traffic, portOf, decisions, latest, check }
}

/** An HTTPS edge with the route `edghtsrt_a`. Its upstream counts requests. */
export async function withRoute(
  modules: Record<string, unknown>,
  listener: RequestListener = (_req, res) => res.end('hello'),
  { state = {}, ...options }: Record<string, unknown> & { state?: object } = {},
) {
  const counted = { requests: 0 }
  const upstream = await httpUpstream((req, res) => {
    counted.requests++
    listener(req, res)
  })
  const edges = await withEdges({ ...httpsEdge(upstream, modules), ...state }, options)
  const edgePort = await edges.portOf('edghts_a')
  const modulePath = (key: string) => `/edges/https/edghts_a/routes/edghtsrt_a/${key}`
  const check = (question: object) => edges.check({ edge: 'edghts_a', ...question })
  return { ...edges, edgePort, at: `http://127.0.0.1:${edgePort}/`, counted, modulePath, check }
}
