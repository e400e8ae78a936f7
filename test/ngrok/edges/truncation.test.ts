import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { httpsEdge, tcpEdge, UPGRADE, withEdges } from './edges.ts'

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'

/** An HTTPS and a TCP edge with truncated responses. */
async function cutting(fault: object, server: Server, when: object = {}) {
  const upstream = await listening(server)
  const rule = { when: { edge: ['edgtcp_a', 'edghts_a'], ...when }, fault: { type: 'truncate', ...fault } }
  return withEdges({ ...tcpEdge(upstream), ...httpsEdge(upstream) }, { scenario: { rules: [rule] } })
}

const inChunks =
  (...chunks: string[]): RequestListener =>
  (_req, res) => {
    for (const chunk of chunks) res.write(chunk)
    res.end()
  }

const digits: RequestListener = (_req, res) => res.end('0123456789')

describe('Truncation on an HTTPS edge', () => {
  it.each<[what: string, request: string, listener: RequestListener, after: number | undefined, says: RegExp]>([
    ['half of a response of known length', GET, digits, undefined, /10\r\n[\s\S]*\r\n\r\n01234$/],
    ['the last byte of a response shorter than "after"', GET, digits, 99, /10\r\n[\s\S]*\r\n\r\n012345678$/],
    ['the whole body with "after" 0', GET, digits, 0, /10\r\n[\s\S]*\r\n\r\n$/],
    ['a chunked response', GET, inChunks('0123456789', 'x'), 3, /3\r\n012\r\n$/],
    ['the last chunk of a response shorter than "after"', GET, inChunks('01234'), 99, /5\r\n01234\r\n$/],
    ['half of the first chunk', GET, inChunks('01234'), undefined, /2\r\n01\r\n$/],
    ['the headers of a response without a body', GET, (_req, res) => res.writeHead(204).end(), 3, /^HTTP\/1\.1 204 $/],
    ['the headers of a response of length 0', GET, (_req, res) => res.end(), 3, /^HTTP\/1\.1 200 $/],
    [
      'the headers of a response to HEAD',
      GET.replace('GET', 'HEAD'),
      (_req, res) => res.writeHead(200, { 'Content-Length': 10 }).end(),
      3,
      /^HTTP\/1\.1 200 $/,
    ],
  ])('cuts off %s', async (_, request, listener, after, says) => {
    const { portOf } = await cutting({ after }, createHttpServer(listener))
    const { said, error } = await talk(await portOf('edghts_a'), request, { end: false })
    expect({ said, error }).toEqual({ said: expect.stringMatching(says), error: undefined })
  })

  it('does not change the previous response when requests are pipelined', async () => {
    const upstream = createHttpServer((req, res) => res.end(`answer to ${req.url}`))
    const { portOf } = await cutting({ after: 3 }, upstream, { calls: 2 })
    const ahead = ['/one', '/two', '/three'].map(path => GET.replace('/ ', `${path} `)).join('')
    const { said } = await talk(await portOf('edghts_a'), ahead, { end: false })
    expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*answer to \/oneHTTP\/1\.1 200 [\s\S]*\r\n\r\nans$/)
  })

  it('cuts off a WebSocket', async () => {
    const server = createHttpServer()
    server.on('upgrade', (_req, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n0123')
      socket.write('456789')
    })
    const { portOf } = await cutting({ after: 5 }, server)
    const { said } = await talk(await portOf('edghts_a'), UPGRADE, { end: false })
    expect(said).toMatch(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\n01234$/)
  })

  it.each(['edghts_a', 'edgtcp_a'])('reads no more from the upstream of %s than its client reads', async edge => {
    const MB = 1024 * 1024
    let written = 0
    const sockets: Socket[] = []
    const upstream = createServer(socket => {
      sockets.push(socket)
      const more = () => {
        while (written < 64 * MB && socket.write(Buffer.alloc(MB))) written += MB
      }
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 * MB}\r\n\r\n`)
        more()
      })
      socket.on('drain', more).on('error', () => {})
    })
    const { portOf } = await cutting({ after: 1023 * MB }, upstream)
    const { socket } = dial(await portOf(edge))
    socket.pause().write(GET)
    // The buffers fill up, then nothing moves.
    let before = -1
    await expect
      .poll(
        () => {
          const stands = written === before && written > 0
          before = written
          return stands
        },
        { interval: 100 },
      )
      .toBe(true)
    expect(written).toBeLessThan(32 * MB)
    socket.destroy()
    await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  })
})
