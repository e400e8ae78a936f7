import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../src/server/http/bodies.ts'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { httpsEdge, withEdges } from '../../ngrok/edges/edges.ts'
import { expectRefusal, listening } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG } from '../../support/long.ts'
import { dial, pooledClient, rawClient, talk } from '../../support/raw-http.ts'

const { call, port } = await simulate()
const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer sim_admin\r\nService-Version: 2\r\n`

async function openSockets(count: number, to: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => dial(to).socket)
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  return sockets
}

describe('A body over the limit', () => {
  const MB = 1024 * 1024
  const chunkOf = (bytes: number) => Buffer.from(`${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`)
  /** Sends as much as the server reads. */
  async function pour(start: string, chunk: Buffer) {
    const { socket, closed } = dial(port)
    const more = () => {
      while (socket.writable && socket.write(chunk));
    }
    socket.on('data', () => {
      // The client ignores the response and continues.
      socket.on('drain', more)
      more()
    })
    socket.write(start)
    const { said } = await closed
    return { response: said, sent: socket.bytesWritten }
  }

  it.each([
    ['/api_keys', 'Content-Length: 1000000000', '{', Buffer.alloc(64 * 1024)],
    ['/api_keys', 'Transfer-Encoding: chunked', chunkOf(70_000), chunkOf(64 * 1024)],
    ['/_sim/state', 'Content-Length: 10000000000', '{', Buffer.alloc(MB)],
  ])('on %s with %s is rejected immediately, and not read to its end', async (path, length, begun, chunk) => {
    const start = head(path).replace('POST /_sim', 'PUT /_sim')
    const { response, sent } = await pour(`${start}Content-Type: application/json\r\n${length}\r\n\r\n${begun}`, chunk)
    expect(response).toMatch(/^HTTP\/1\.1 413 (.|\n|\r)*connection: close(.|\n|\r)*The body is too large/i)
    expect(sent).toBeLessThan(200 * MB)
  })
})

const HALF = 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{'

describe('Reading a body after the client has disconnected', () => {
  it('fails, so nothing waits for it', async () => {
    const server = createServer()
    const received = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>
    await talk(await listening(server.once('request', req => req.socket.destroy())), HALF, { end: false })
    const [req, res] = await received
    await expect(readBody(req, res, 1000)).rejects.toThrow('the client disconnected before the end of the body')
  })
})

describe('A query', () => {
  it('with thousands of parameters is processed like any other', async () => {
    const flat = Array.from({ length: 1_500 }, (_, i) => `p${i}=1`).join('&')
    const deep = `a${'[b]'.repeat(2_000)}=1`
    const many = `limit${'&limit'.repeat(1_500)}`
    for (const query of [flat, deep]) expect((await call('GET', `/api_keys?${query}`)).status).toBe(200)
    expectRefusal(await call('GET', `/api_keys?${many}`), 400, 232)
  })

  it('longer than the header limit is rejected', async () => {
    const response = await rawClient(port).request({ target: `/api_keys?q=${'q'.repeat(20_000)}` })
    expectRefusal(response, 431, 431)
  })
})

describe('400 slow clients', () => {
  it('do not delay other clients', async () => {
    const headers = await openSockets(200, port)
    const bodies = await openSockets(200, port)
    for (const socket of headers) socket.write(head('/api_keys'))
    for (const socket of bodies) socket.write(`${head('/api_keys')}Content-Length: 1000\r\n\r\n{`)
    const client = pooledClient(port, 4)
    const times: number[] = []
    for (let round = 0; round < 200; round++) {
      headers[round]!.write('X')
      bodies[round]!.write(' ')
      const began = performance.now()
      expect((await client.send({ method: 'GET', path: '/api_keys' })).status).toBe(200)
      times.push(performance.now() - began)
    }
    client.close()
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
    if (!LONG) return
    console.log(`with 400 slow clients, p99 of ${times.length} requests: ${p99.toFixed(1)} ms`)
    expect(p99).toBeLessThan(100)
  })
})

describe('A connection left open after a rejected request', async () => {
  const upstream = await listening(createServer((_, res) => res.end()))
  const sim = await withEdges(httpsEdge(upstream), { as: ['api.example.com'] })
  const ports: Record<string, number> = {
    'the API': sim.port,
    'an edge': await sim.portOf('edghts_a'),
    'the proxy': Number(new URL(sim.standIn!.proxy).port),
  }
  const CONNECT = 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n'
  const UPGRADE = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: x\r\n\r\n'

  it.each(Object.keys(ports))('is closed by %s', async name => {
    for (const sent of [CONNECT, `${CONNECT}and more`, UPGRADE, 'nonsense\r\n\r\n']) {
      const { socket, said } = dial(ports[name]!)
      socket.removeAllListeners('end').write(sent)
      await expect.poll(() => socket.readableEnded).toBe(true)
      expect(said()).toMatch(/^HTTP\/1\.1 4\d\d .*\}$/s)
      // Only a write shows whether the server still reads.
      await expect.poll(() => !socket.write('x') && socket.destroyed).toBe(true)
    }
  })
})

describe('Closing the simulator', () => {
  it('does not wait for 200 idle connections and 50 half-sent requests', async () => {
    const simulator = await runSimulator({ port: 0, stopGrace: '50ms' })
    const idle = await openSockets(200, simulator.port)
    const half = await openSockets(50, simulator.port)
    for (const socket of idle) socket.write('GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await Promise.all(idle.map(socket => once(socket, 'data')))
    half.forEach((socket, i) => void socket.write(`${head('/api_keys')}${i % 2 ? 'Content-Length: 9\r\n\r\n{' : ''}`))
    await fetch(`${simulator.url}/_sim/health`)
    await expect(simulator.close()).resolves.toBeUndefined()
  })
})

describe('The journal', () => {
  const count = LONG ? 20_000 : 2_500

  it(`is limited to 1,000 entries after ${count} requests`, async () => {
    const token = 'sim_admin~flooded'
    const request = `GET /api_keys/ak_ci HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nService-Version: 2\r\n\r\n`
    const [socket] = await openSockets(1, port)
    let received = 0
    socket!.on('data', chunk => {
      received += chunk.toString('latin1').split('"id":"ak_ci"').length - 1
    })
    for (let sent = 0; sent < count; sent += 500) {
      socket!.write(request.repeat(500))
      while (received < sent + 500) await once(socket!, 'data')
    }
    const { body } = await call('GET', '/_sim/sandboxes/flooded/requests?limit=100000')
    expect(body.requests).toHaveLength(1_000)
    expect(body.requests[0].seq).toBe(count)
  })
})
