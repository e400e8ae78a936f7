import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, expect, it } from 'vitest'
import { echo, headerEcho, httpUpstream, USERS } from '../../ngrok/edges/edges.ts'
import { folderWith } from '../../support/afterwards.ts'
import { startEdgesim } from '../../support/as-process.ts'
import { LONG, LONG_MS } from '../../support/long.ts'

const TIMES = LONG ? 50 : 1
const host = 'Host: 127.0.0.1\r\n'
const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'

/** Requests with a socket that Node detaches (CONNECT, upgrades), and others. */
const HEADS: Record<string, string> = {
  CONNECT: `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`,
  'an upgrade': `GET /_sim/health HTTP/1.1\r\n${host}${upgrade}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  'an unknown Expect': `POST /api_keys HTTP/1.1\r\n${host}Expect: the-best\r\nContent-Length: 9\r\n\r\n`,
  'Expect: 100-continue': `POST /api_keys HTTP/1.1\r\n${host}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
  'a GET': `GET /api_keys HTTP/1.1\r\n${host}\r\n`,
  'half a body': `POST /api_keys HTTP/1.1\r\n${host}Content-Length: 90\r\n\r\n{"a":`,
  events: `GET /_sim/events HTTP/1.1\r\n${host}\r\n`,
  'no HTTP at all': '\u0016\u0003\u0001nonsense\r\n\r\n\r\n',
}

type Step = (socket: Socket, head: string) => unknown
const STEPS: Record<string, Step> = {
  immediately: () => {},
  'after half of the head': (socket, head) => socket.write(head.slice(0, head.length / 2)),
  'with the head under way': (socket, head) => socket.write(head),
  'when the head is sent': (socket, head) => new Promise(resolve => socket.write(head, resolve)),
  'with more bytes behind it': (socket, head) => socket.write(head + 'x'.repeat(100_000)),
  'after the first response': (socket, head) => (head === HEADS['half a body'] ? {} : said(socket, head)),
}

interface Listener {
  port: number
  tls: boolean
}
const listeners: Record<string, Listener> = {}
const running: Awaited<ReturnType<typeof startEdgesim>>[] = []

beforeAll(async () => {
  const upstream = `http://127.0.0.1:${await headerEcho()}`
  const dying = await httpUpstream((_req, res) => {
    res.writeHead(200, { 'Content-Length': 1000 }).write('half of it')
    setImmediate(() => res.socket?.resetAndDestroy())
  })
  const edge = (id: string, listen: string, to: string) => ({
    id,
    listen,
    routes: [{ id: `edghtsrt_${id}`, upstream: to }],
  })
  const folder = folderWith({
    'edges.json': {
      ...USERS,
      tcp_edges: [{ id: 'edgtcp_a', listen: '127.0.0.1:0', upstream: `127.0.0.1:${await echo()}` }],
      https_edges: [
        edge('edghts_plain', 'http://127.0.0.1:0', upstream),
        edge('edghts_tls', '127.0.0.1:0', upstream),
        edge('edghts_dying', 'http://127.0.0.1:0', `http://127.0.0.1:${dying}`),
      ],
    },
  })
  const plain = await startEdgesim([join(folder, 'edges.json')])
  const secure = await startEdgesim(['--tls'])
  running.push(plain, secure)
  listeners['the API'] = { port: Number(new URL(plain.ready.url).port), tls: false }
  listeners['the API over TLS'] = { port: Number(new URL(secure.ready.url).port), tls: true }
  for (const { edge: id, port, url } of plain.ready.edges) listeners[id] = { port, tls: url.startsWith('https') }
})

/** The socket to write to, and its TCP socket, which can be reset. */
const open = ({ port, tls }: Listener) =>
  new Promise<{ socket: Socket; raw: Socket }>((resolve, reject) => {
    const raw = connect(port, '127.0.0.1').on('error', reject)
    const socket = tls ? connectTls({ socket: raw, rejectUnauthorized: false }).on('error', reject) : raw
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      for (const each of [raw, socket]) each.off('error', reject).on('error', () => {})
      resolve({ socket, raw })
    })
  })

async function said(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  return new Promise(resolve => socket.once('data', resolve).once('close', resolve)).then(String)
}

async function disconnect(listener: Listener, step: Step, head: string, leave: 'reset' | 'end') {
  const { socket, raw } = await open(listener)
  await step(socket, head)
  if (leave === 'reset') return void raw.resetAndDestroy()
  if (!socket.destroyed) await new Promise(resolve => socket.resume().once('close', resolve).end())
}

describe('A client that disconnects early', () => {
  it.each(['the API', 'the API over TLS', 'edgtcp_a', 'edghts_plain', 'edghts_tls', 'edghts_dying'])(
    'ends only its own connection to %s',
    async name => {
      let tried = 0
      for (const head of Object.values(HEADS))
        for (const step of Object.values(STEPS))
          for (const leave of ['reset', 'end'] as const) {
            const many = Array.from({ length: TIMES }, () => disconnect(listeners[name]!, step, head, leave))
            tried += (await Promise.all(many)).length
          }
      for (const listener of [listeners['the API']!, listeners['the API over TLS']!]) {
        const { socket } = await open(listener)
        expect(await said(socket, `GET /_sim/health HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
        socket.destroy()
      }
      for (const { printed } of running) expect(printed.err).toBe('')
      if (LONG) console.log(`${name}: ${tried} connections dropped, still serving`)
    },
    LONG_MS,
  )
})
