import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { listening } from '../../support/http.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { httpsEdge, UPGRADE, withEdges } from './edges.ts'

const EDGE = 'edghts_a'
const TAKEN = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

async function withWebSockets(onUpgrade: (socket: Socket, req: IncomingMessage) => void) {
  const sockets: Socket[] = []
  const server = createHttpServer((req, res) => setImmediate(() => res.end(`plain ${req.url}`)))
  server.on('upgrade', (req, socket: Socket) => {
    sockets.push(socket)
    onUpgrade(socket, req)
  })
  const route = { request_headers: { add: { 'X-Edge': 'e' } } }
  return { ...(await withEdges(httpsEdge(await listening(server), route))), sockets }
}

describe('A WebSocket through an HTTPS edge', () => {
  it('gets the upstream response byte for byte, with the data that follows it', async () => {
    const head =
      'HTTP/1.1 101 Here We Go\r\nupgrade: WebSocket\r\nX-Odd-CASE: \xe9\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: s\r\nx-twice: 1\r\nX-Twice: 2\r\n\r\n'
    const { portOf } = await withWebSockets(socket => void socket.end(Buffer.from(`${head}first`, 'latin1')))
    const { said } = await talk(await portOf(EDGE), UPGRADE, { end: false })
    expect(said).toBe(`${head}first`)
  })

  it('forwards data that its client sent right after the request', async () => {
    const seen: string[] = []
    const { portOf, latest } = await withWebSockets((socket, { rawHeaders }) => {
      seen.push(...rawHeaders)
      socket.write(TAKEN)
      socket.pipe(socket)
    })
    const { socket, said } = dial(await portOf(EDGE))
    socket.write(`${UPGRADE}early`)
    await expect.poll(said).toBe(`${TAKEN}early`)
    socket.write(', later')
    await expect.poll(said).toBe(`${TAKEN}early, later`)
    expect(seen.join(' ')).toBe('Host h x-edge e Connection Upgrade Upgrade websocket')
    expect(await latest()).toMatchObject({ status: 101, path: '/ws', route: 'edghtsrt_a' })
  })

  it('ends when its upstream is reset', async () => {
    const { portOf } = await withWebSockets(socket => void socket.write(`${TAKEN}x`, () => socket.resetAndDestroy()))
    const { said } = await talk(await portOf(EDGE), UPGRADE, { end: false })
    expect(said).toMatch(/^HTTP\/1\.1 101 [^{]*$/)
  })

  it('ends at its upstream when the edge is deleted', async () => {
    const { call, portOf, sockets } = await withWebSockets(socket => {
      socket.write(TAKEN)
      socket.pipe(socket)
    })
    const talking = talk(await portOf(EDGE), UPGRADE, { end: false })
    await expect.poll(() => sockets.length).toBe(1)
    await call('DELETE', `/edges/https/${EDGE}`)
    expect((await talking).said).toMatch(/^(HTTP\/1\.1 101 [\s\S]*)?$/)
    await expect.poll(() => sockets[0]!.destroyed).toBe(true)
  })

  it('waits for the responses to earlier requests', async () => {
    const { portOf } = await withWebSockets(socket => void socket.end(`${TAKEN}ws`))
    const plain = ['/1', '/2'].map(path => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`).join('')
    const { said } = await talk(await portOf(EDGE), plain + UPGRADE, { end: false })
    expect(said).toMatch(/plain \/1HTTP\/1\.1 200 [\s\S]*plain \/2HTTP\/1\.1 101 [\s\S]*ws$/)
  })
  it.each([
    ['without Connection', UPGRADE.replace('Connection: Upgrade\r\n', ''), ['/2', '/ws']],
    ['with a different Connection', UPGRADE.replace('n: Upgrade', 'n: keep-alive, upgrades'), ['/2', '/ws']],
    // Node's parser loses the data that follows, so the connection ends.
    ['on HTTP/1.0', UPGRADE.replace('1.1', '1.0').replace('n: ', 'n: keep-alive, '), ['/ws']],
  ])('does not start with an Upgrade %s: each request is forwarded once', async (_, first, paths) => {
    const { portOf, sockets, decisions } = await withWebSockets(socket => void socket.end(`${TAKEN}ws`))
    const second = 'GET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'
    const { said } = await talk(await portOf(EDGE), first + second, { end: false })
    expect(said.match(/plain \/(ws|2)/g)).toEqual(paths.map(path => `plain ${path}`).reverse())
    expect((await decisions()).map(({ path }) => path)).toEqual(paths)
    expect(sockets).toEqual([])
  })
})
