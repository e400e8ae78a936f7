import { createServer, request } from 'node:http'
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { close } from '../../../src/server/http/server.ts'
import type { CompleteOptions } from '../../../src/simulator/options/options.ts'
import { standInSettings } from '../../../src/simulator/stand-in/settings.ts'
import { openStandIn } from '../../../src/simulator/stand-in/stand-in.ts'
import { afterwards } from '../../support/afterwards.ts'
import { listening } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ask, askProxy, dialProxy, HOST, passwordFor, reachHost, tunnel } from './tunnel.ts'

const open = async (server: Server) => `127.0.0.1:${await listening(server)}`

/** Another server on this machine, which returns its request. */
const elsewhere = () =>
  open(
    createServer(async (req, res) => {
      const { method, url, headers } = req
      const body = await text(req)
      res.writeHead(203, 'Fine', { 'X-Mine': 'yes' }).end(JSON.stringify({ method, url, headers, body }))
    }),
  )

/** A proxy with the password `pass word` that records its requests. */
async function proxyBefore() {
  const asked: string[] = []
  const may = (authorization: string | undefined) =>
    authorization === `Basic ${Buffer.from('user:pass word').toString('base64')}`
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`)
    if (!may(req.headers['proxy-authorization'])) return res.writeHead(407).end('{}')
    const { hostname: host, port, pathname: path } = new URL(req.url!)
    const { 'proxy-authorization': _, ...headers } = req.headers
    const sent = request({ host, port, path, method: req.method, headers, agent: false }, response => {
      res.writeHead(response.statusCode!, response.headers)
      response.pipe(res)
    })
    req.pipe(sent)
  })
  server.on('connect', (req, client: Socket) => {
    asked.push(`CONNECT ${req.url}`)
    if (!may(req.headers['proxy-authorization'])) return client.end('HTTP/1.1 407 No\r\n\r\n')
    const [host, port] = req.url!.split(':') as [string, string]
    const upstream = connect(Number(port), host, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.pipe(upstream).pipe(client)
  })
  return { at: await open(server), asked }
}

async function standInWith(env: NodeJS.ProcessEnv) {
  const { hosts, passThrough } = standInSettings({ as: [HOST], passThrough: true } as CompleteOptions, {}, env)!
  const standIn = await openStandIn({
    hosts,
    passThrough,
    timeouts: { headers: 5, request: 15 },
    maxConnections: 100,
    serve: () => ({ classes: {} as never, onRequest: (_, res) => res.end() }),
    onFailure() {},
  })
  afterwards(() => standIn.close(servers => close(servers, 50)))
  return { standIn }
}

describe('--pass-through', () => {
  it('allows connections to other hosts, and still serves its own', async () => {
    const at = await elsewhere()
    const sim = await simulate({ as: [HOST], passThrough: true })
    const { status, socket } = await tunnel(sim, at)
    expect(status).toBe(200)
    const { body } = await ask(socket, { method: 'POST', path: '/a?b', body: { c: 1 }, headers: { host: at } })
    expect(body).toMatchObject({ method: 'POST', url: '/a?b', body: '{"c":1}' })
    expect((await ask(await reachHost(sim))).status).toBe(200)
    expect(sim.standIn!.refused.count).toBe(0)
  })

  it('allows requests with absolute URLs, without the proxy headers', async () => {
    const at = await elsewhere()
    const sim = await simulate({ as: [HOST], passThrough: true })
    const headers = { host: at, connection: 'keep-alive, x-hop', 'x-hop': '1', 'x-end': '2' }
    const response = await askProxy(sim, `http://${at}/a?b`, { method: 'PUT', body: { c: 1 }, headers })
    expect(response).toMatchObject({ status: 203, headers: { 'x-mine': 'yes' } })
    expect(response.body).toMatchObject({
      method: 'PUT',
      url: '/a?b',
      body: '{"c":1}',
      headers: { host: at, 'x-end': '2' },
    })
    expect(Object.keys(response.body.headers)).not.toContain('proxy-authorization')
    expect(Object.keys(response.body.headers)).not.toContain('x-hop')
  })

  it('reports which host is unreachable, and closes the connection', async () => {
    const sim = await simulate({ as: [HOST], passThrough: true })
    const refusal = {
      status: 502,
      body: { msg: expect.stringMatching(/^Cannot reach 127\.0\.0\.1:1: .*ECONNREFUSED/) },
    }
    const { socket, ...refused } = await tunnel(sim, '127.0.0.1:1')
    expect(refused).toMatchObject(refusal)
    await expect.poll(() => !socket.write('x') && socket.destroyed).toBe(true)
    expect(await askProxy(sim, 'http://127.0.0.1:1/')).toMatchObject(refusal)
  })

  it.each([
    ['a reason phrase with a control character', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 0\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['another transfer coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['nothing', ''],
  ])('returns 502 for a host that sends %s, and continues', async (_, bytes) => {
    const server = createTcpServer(client => client.on('error', () => {}).once('data', () => client.end(bytes)))
    const at = await open(server)
    const sim = await simulate({ as: [HOST], passThrough: true })
    const response = await askProxy(sim, `http://${at}/`)
    expect(response).toMatchObject({
      status: 502,
      body: { msg: expect.stringMatching(/^Cannot reach 127\.0\.0\.1:\d+: /) },
    })
    expect((await ask(await reachHost(sim))).status).toBe(200)
  })

  it.each([
    ['a Host different from the URL', ['Host: other.example'], 203],
    ['HTTP/1.0 without a Host', [], 203, '1.0'],
    ['a WebSocket as a plain request', ['Host: h', 'Connection: Upgrade', 'Upgrade: websocket'], 203],
    ['no Host', [], 400],
    ['two Hosts', ['Host: h', 'Host: h'], 400],
    ['another transfer coding', ['Host: h', 'Transfer-Encoding: gzip, chunked', '', '0'], 400],
  ])('reads the head like an edge: %s', async (_, lines, status, version = '1.1') => {
    const at = await elsewhere()
    const sim = await simulate({ as: [HOST], passThrough: true })
    const { said } = await dialProxy(sim, `GET http://${at}/ HTTP/${version}`, ['Connection: close', ...lines]).closed
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    if (status === 203) expect(said).toContain(`"headers":{"host":"${at}","connection":"keep-alive"}`)
  })

  it('continues after a 204 with a body, and a CONNECT waits for the previous response', async () => {
    const bytes = 'HTTP/1.1 204 Fine\r\nContent-Length: 2\r\n\r\nok'
    const at = await open(createTcpServer(client => client.on('error', () => {}).once('data', () => client.end(bytes))))
    const sim = await simulate({ as: [HOST], passThrough: true })
    const password = `Proxy-Authorization: ${passwordFor(sim)['proxy-authorization']}`
    const behind = ['Host: h', '', `CONNECT ${HOST}:80 HTTP/1.1`, password]
    const { said } = dialProxy(sim, `GET http://${at}/ HTTP/1.1`, behind)
    await expect.poll(said).toMatch(/^HTTP\/1\.1 204 [\s\S]*\r\n\r\nHTTP\/1\.1 200 Connection established\r\n\r\n$/)
    expect(said()).not.toContain('Content-Length')
  })

  it('uses the proxy that was set before, with its password', async () => {
    const at = await elsewhere()
    const before = await proxyBefore()
    const proxy = `http://user:pass%20word@${before.at}`
    const sim = await standInWith({ https_proxy: proxy, HTTP_PROXY: proxy.slice('http://'.length) })
    const { socket } = await tunnel(sim, at)
    expect((await ask(socket, { path: '/in-a-tunnel', headers: { host: at } })).body.url).toBe('/in-a-tunnel')
    expect((await askProxy(sim, `http://${at}/as-a-url`, { headers: { host: at } })).body.url).toBe('/as-a-url')
    expect(before.asked).toEqual([`CONNECT ${at}`, `GET http://${at}/as-a-url`])
  })

  it('reports a rejection by the previous proxy', async () => {
    const before = await proxyBefore()
    const sim = await standInWith({ HTTPS_PROXY: `http://${before.at}` })
    const { status, body } = await tunnel(sim, 'elsewhere.example:443')
    expect(status).toBe(502)
    expect(body.msg).toBe(`Cannot reach elsewhere.example:443: the proxy ${before.at} returned 407.`)
  })

  it.each(['socks5://127.0.0.1:1080', 'http://', 'http://a b'])('rejects the proxy %s', url => {
    const settings = () =>
      standInSettings({ as: [HOST], passThrough: true } as CompleteOptions, {}, { HTTPS_PROXY: url })
    expect(settings).toThrow(/--pass-through: HTTPS_PROXY must be an http or https proxy URL/)
  })
})
