import { createServer as createHttpServer, type RequestListener, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { expect } from 'vitest'
import type { Decision } from '../../src/contract/traffic.ts'
import type { Hooks } from '../../src/simulator/hooks.ts'
import type { Parts } from '../../src/simulator/types.ts'
import { afterwards } from '../support/afterwards.ts'
import { simulate } from '../support/simulate.ts'

export const USERS = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
}

/** Listens until the test is over. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  })
  afterwards(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  )
  return (server.address() as AddressInfo).port
}

/** An upstream that sends back whatever it gets, and ends when its client does. */
export function echo(onSocket: (socket: Socket) => void = () => {}) {
  return listening(
    createServer({ allowHalfOpen: true }, socket => {
      onSocket(socket)
      socket.pipe(socket)
    }),
  )
}

export const httpUpstream = (listener: RequestListener) => listening(createHttpServer(listener))

/** Tells which headers it got, as they were on the wire. */
export const headerEcho = () =>
  httpUpstream((req, res) => {
    res.setHeader('Content-Type', 'application/json')
    res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.rawHeaders }))
  })

/** All that comes back for a text, and whether the connection was reset. */
export function talk(port: number, text: string, { from = '127.0.0.1', end = true } = {}) {
  return new Promise<{ said: string; error?: string }>(resolve => {
    let said = ''
    let error: string | undefined
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true }, () => {
      if (end) socket.end(text)
      else socket.write(text)
    })
    socket.on('data', chunk => {
      said += chunk.toString('latin1')
    })
    socket.on('end', () => socket.end())
    socket.on('error', (cause: NodeJS.ErrnoException) => {
      error = cause.code
    })
    socket.on('close', () => resolve({ said, error }))
  })
}

interface Got {
  status: number
  rawHeaders: string[]
  text: string
}

export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
    from,
    ca,
  }: {
    method?: string
    headers?: Record<string, string | string[]> | string[]
    body?: string
    from?: string
    ca?: string
  } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https') ? requestTls : request
    const req = send(
      url,
      { method, headers: headers as Record<string, string>, localAddress: from, ca, agent: false },
      res => {
        let text = ''
        res.on('data', chunk => {
          text += chunk
        })
        res.on('end', () => resolve({ status: res.statusCode!, rawHeaders: res.rawHeaders, text }))
        res.on('error', reject)
      },
    )
    req.on('error', reject)
    req.end(body)
  })
}

/** Names and values in turn, as pairs. */
export const pairs = (raw: string[]) =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as [string, string]] : []))

/** A simulator with edges, and what a test asks about them. */
export async function withEdges(
  state: Record<string, unknown>,
  options: Record<string, unknown> = {},
  parts: Parts = {},
  hooks: Hooks = {},
) {
  const simulator = await simulate({ fixture: { ...USERS, ...state }, ...options } as never, hooks, parts)
  const { call } = simulator
  const traffic = async (base = '/_sim') => (await call('GET', `${base}/traffic`)).body
  const portOf = async (edge: string, base = '/_sim') => {
    const found = (await traffic(base)).listeners.find((each: { edge: string }) => each.edge === edge)
    expect(found).toMatchObject({ port: expect.any(Number) })
    return found.port as number
  }
  const decisions = async (): Promise<Decision[]> => (await traffic()).decisions
  return { ...simulator, traffic, portOf, decisions }
}
