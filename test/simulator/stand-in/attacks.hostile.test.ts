import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { close } from '../../../src/server/http/server.ts'
import { openStandIn } from '../../../src/simulator/stand-in/stand-in.ts'
import { afterwards } from '../../support/afterwards.ts'
import { listening } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ask, askProxy, dialProxy, GOOD, HOST, passwordFor, reachHost, shakeHands, tunnel } from './tunnel.ts'

const sim = await simulate({ as: [HOST, 'other.example.com'] })
const through = await simulate({ as: [HOST], passThrough: true })

const victim = () => listening(createServer((_, res) => res.end('{}')))

/** The error for a target that means the host but is not its address. */
const BUILT_IN = { status: 502, body: { msg: expect.stringContaining(`Use https://${HOST}`) } }

describe('The proxy', () => {
  it.each([
    ['no password', {}],
    ['a wrong password', passwordFor(sim, 'x'.repeat(24))],
    ['a password of different length', passwordFor(sim, 'x')],
    ['the password as a bearer token', { 'proxy-authorization': `Bearer ${new URL(sim.standIn!.proxy).password}` }],
    ['the password in another header', { authorization: passwordFor(sim)['proxy-authorization'] }],
  ])('requires its password: %s', async (_, headers) => {
    const { status, headers: responded, body } = await tunnel(sim, `${HOST}:443`, headers)
    expect({ status, msg: body.msg }).toEqual({
      status: 407,
      msg: expect.stringContaining('Use the HTTPS_PROXY that edgesim exec sets'),
    })
    expect(responded['proxy-authenticate']).toBe('Basic realm="edgesim"')
    const { hostname: host, port } = new URL(sim.standIn!.proxy)
    const asked = await ask({ host, port }, { path: `http://${HOST}/api_keys`, headers: { host: HOST, ...headers } })
    expect(asked.status).toBe(407)
  })

  it('has a new password on every run', () => {
    const passwords = [sim, through].map(({ standIn }) => new URL(standIn!.proxy).password)
    expect(new Set(passwords).size).toBe(2)
    for (const password of passwords) expect(password).toHaveLength(24)
  })

  it.each([
    ['a name below it', `x.${HOST}`],
    ['a name with the same ending', `x${HOST}`],
    ['a name with the same beginning', `${HOST}.example`],
    ['the name above it', 'ngrok.com'],
    ['another letter', 'api.ngrοk.com'],
    ['another host', 'registry.example'],
    ['this machine', '127.0.0.1'],
    ['this machine in IPv6', '[::1]'],
  ])('blocks %s', async (_, host) => {
    const target = host.replace('ο', encodeURIComponent)
    const { status, body } = await tunnel(sim, `${target}:443`)
    expect(status).toBe(502)
    expect(body.msg).toMatch(
      /serves only api\.ngrok\.com, other\.example\.com and rejects .*:443\. To allow .*--pass-through/,
    )
    const asked = await askProxy(sim, `http://${target}/api_keys`)
    expect(asked.status).toBe(502)
  })

  const spellings = ['.:443', '..:443', ':8443', ':0'].map(end => HOST + end)
  it.each([...spellings, `${HOST.toUpperCase()}.:443`])('never forwards %s to the real host', async target => {
    for (const each of [sim, through]) {
      expect(await tunnel(each, target)).toMatchObject(BUILT_IN)
      expect((await askProxy(each, `https://${target}/api_keys`)).status).toBe(502)
    }
  })

  it.each([
    ['a percent-encoded dot', 'api%2Engrok.com'],
    ['a percent-encoded letter', 'api.ngro%6B.com'],
    ['a wide letter', '%EF%BD%81pi.ngrok.com'],
    ['an ideographic full stop', 'api.ngrok%E3%80%82com'],
    ['an invisible hyphen', 'api.ng%C2%ADrok.com'],
    ['a percent-encoded dot and a final dot', 'api%2Engrok.com.'],
  ])('never forwards a spelling of the host with %s', async (_, host) => {
    expect(await tunnel(through, `${host}:443`)).toMatchObject(BUILT_IN)
    for (const scheme of ['http', 'https']) {
      expect(await askProxy(through, `${scheme}://${host}/api_keys`)).toMatchObject(BUILT_IN)
    }
  })

  it.each([
    ['a letter that resolves as an a', '\xaapi.ngrok.com'],
    ['a letter that resolves as an o', 'api.ngr\xbak.com'],
    ['an invisible hyphen', 'api.ng\xadrok.com'],
  ])('rejects names with bytes beyond ASCII: %s', async (_, host) => {
    const { said } = await dialProxy(through, `CONNECT ${host}:443 HTTP/1.1`).closed
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
  })

  const malformed = ['', '%/', '[::zz]/', 'a%00b/', 'a:99999/', `user@${HOST}/`].map(end => `http://${end}`)
  it.each(malformed)('rejects the malformed URL %s', async url => {
    expect((await askProxy(through, url)).status).toBe(400)
    expect(through.notices.filter(({ level }) => level === 'error')).toEqual([])
  })

  const ends = ['', '@evil.example:443', ':', ':443:443', ':443/', ':99999999']
  const targets = [...ends.map(end => HOST + end), ':443', `evil.example@${HOST}:443`]
  it.each(targets)('rejects the malformed target %s', async target => {
    expect((await tunnel(through, target)).status).toBe(400)
  })

  it('counts all blocked hosts, and stores a limited number of names', async () => {
    const own = await simulate({ as: [HOST] })
    await tunnel(own, 'one.example:443')
    await tunnel(own, 'ONE.example:80')
    await askProxy(own, 'http://two.example/')
    expect(own.standIn!.refused).toEqual({ count: 3, hosts: new Set(['one.example', 'two.example']) })
    await Promise.all(Array.from({ length: 120 }, (_, i) => tunnel(own, `${i}.example:443`)))
    expect(own.standIn!.refused).toMatchObject({ count: 123, hosts: { size: 100 } })
    expect(own.notices.length).toBeLessThanOrEqual(20)
  })

  it('is only a proxy: a path is rejected, with and without the password', async () => {
    const { hostname: host, port } = new URL(sim.standIn!.proxy)
    for (const path of ['/api_keys', '/_sim/state', '/_sim/health']) {
      expect((await ask({ host, port }, { path })).status).toBe(407)
      const { status, body } = await ask({ host, port }, { path, headers: { ...GOOD, ...passwordFor(sim) } })
      expect({ status, body }).toMatchObject({ status: 400, body: { msg: expect.stringContaining('EDGESIM_URL') } })
    }
  })
})

describe('A connection to the host', () => {
  const others = ['other.example.com', 'evil.example', `x.${HOST}`, '127.0.0.1.nip.example']
  it.each(others)('is closed if the client then requests %s', async servername => {
    const { socket } = await tunnel(sim)
    await expect(shakeHands(sim, socket, servername)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) })
  })

  it('is accepted from a client without a host name in TLS', async () => {
    const { socket } = await tunnel(sim)
    const secure = connectTls({ socket, ca: sim.standIn!.certificate, checkServerIdentity: () => undefined })
    await once(secure, 'secureConnect')
    expect(secure.getPeerCertificate().subjectaltname).toBe(`DNS:${HOST}`)
    expect((await ask(secure)).status).toBe(200)
  })

  const here = ['127.0.0.1', `127.0.0.1:${sim.port}`, 'localhost', '[::1]']
  it.each([
    ...here,
    'other.example.com',
    `${HOST}.`,
    `${HOST}:80`,
    '',
  ])('serves no request for the Host %j', async host => {
    const { status, body } = await ask(await reachHost(sim), { headers: { ...GOOD, host } })
    expect(status).toBe(403)
    expect(body.msg).toContain(`Send Host: ${HOST}.`)
  })

  it('accepts its own port in Host, and no duplicate Host', async () => {
    expect((await ask(await reachHost(sim), { headers: { ...GOOD, host: `${HOST}:443` } })).status).toBe(200)
    const twice = Object.entries(GOOD).flat()
    const { status } = await ask(await reachHost(sim), { headers: [...twice, 'Host', '127.0.0.1'] as never })
    expect(status).toBe(400)
  })

  const paths = '/_sim /_sim/ /_sim/health /_sim/state /_sim/env //_sim/state /_sim//state'.split(' ')
  it.each([...paths, `http://${HOST}/_sim/state`])('never serves the control plane: %s', async path => {
    for (const reach of [() => reachHost(sim), async () => (await tunnel(sim, `${HOST}:80`)).socket]) {
      const { status, body } = await ask(await reach(), { path })
      expect({ status, body }).toMatchObject({ status: 404, body: { error_code: 'ERR_EDGESIM_404' } })
      expect(body.msg).toContain(`not served at ${HOST}`)
    }
    const target = path.startsWith('http') ? path : `https://${HOST}${path}`
    expect((await askProxy(sim, target)).status).toBe(404)
  })

  it('serves no absolute URL of another host, and no CONNECT', async () => {
    expect((await ask(await reachHost(sim), { path: `http://127.0.0.1:${sim.port}/_sim/state` })).status).toBe(403)
    const port = await victim()
    const secure = await reachHost(through)
    secure.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)
    const [response] = await once(secure, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 405 /)
  })

  it('returns an explanation to a plain HTTP client', async () => {
    const { socket } = await tunnel(sim)
    socket.write('GET /api_keys HTTP/1.1\r\n\r\n')
    const [response] = await once(socket, 'data')
    expect(String(response)).toContain(`Use https://${HOST} instead.`)
  })

  it('can end at any moment', async () => {
    for (const bytes of ['', '\x16', '\x16\x03\x01\x02\x00\x01\x00', 'hello', '\x00'.repeat(1000)]) {
      const { socket } = await tunnel(sim)
      socket.write(Buffer.from(bytes, 'latin1'))
      socket.resetAndDestroy()
    }
    expect((await ask(await reachHost(sim))).status).toBe(200)
    expect(sim.notices.filter(({ level }) => level === 'error')).toEqual([])
  })
})

/** A stand-in without a simulator, with other limits. */
async function openWith({ maxConnections = 100, patience = { headers: 5, request: 5 } }) {
  const classes = { Request: IncomingMessage, Response: ServerResponse }
  const standIn = await openStandIn({
    hosts: [HOST],
    timeouts: patience,
    maxConnections,
    passThrough: undefined,
    serve: () => ({ classes, onRequest: (_, res) => res.end('{}') }),
    onFailure() {},
  })
  afterwards(() => standIn.close(servers => close(servers, 50)))
  return standIn
}

describe('The stand-in', () => {
  it('closes all connections at the end, in any state', async () => {
    const port = await victim()
    const own = await simulate({ as: [HOST], passThrough: true, stopGrace: '50ms' })
    const sockets = [
      (await tunnel(own)).socket,
      (await tunnel(own, `127.0.0.1:${port}`)).socket,
      (await tunnel(own, `${HOST}:80`)).socket,
      await reachHost(own),
    ]
    sockets[0]!.write('\x16')
    const hanging = createServer()
    const url = `http://127.0.0.1:${await listening(hanging)}/`
    const { socket } = dialProxy(own, `GET ${url} HTTP/1.1`, ['Host: h', '', `CONNECT ${HOST}:443 HTTP/1.1`])
    await once(hanging, 'request')
    sockets.push(socket)
    const silent = connect(Number(new URL(own.standIn!.proxy).port), '127.0.0.1')
    await once(silent, 'connect')
    sockets.push(silent)
    const closed = sockets.map(socket => once(socket.resume(), 'close'))
    await own.close()
    expect(await Promise.all(closed)).toHaveLength(sockets.length)
  })

  it('soon closes a connection without a handshake', async () => {
    const standIn = await openWith({ patience: { headers: 0.05, request: 0.1 } })
    const { status, socket } = await tunnel({ standIn })
    expect(status).toBe(200)
    await once(socket.resume(), 'close')
  })

  it('counts connections after the handover', async () => {
    const standIn = await openWith({ maxConnections: 2 })
    const secure = await reachHost({ standIn })
    await reachHost({ standIn })
    await expect(tunnel({ standIn })).rejects.toMatchObject({ code: 'ECONNRESET' })
    secure.destroy()
    await expect.poll(async () => (await tunnel({ standIn }).catch(() => undefined))?.status).toBe(200)
  })
})

describe('The authority', () => {
  it('has a key that is not in a file or variable', () => {
    const { variables } = sim.environment
    const folder = dirname(variables.SSL_CERT_FILE!)
    const files = readdirSync(folder).map(name => join(folder, name))
    expect(files).toHaveLength(5)
    for (const file of files) {
      expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE')
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(JSON.stringify(variables)).not.toContain('PRIVATE')
  })

  it('is different on every run', () => {
    expect(sim.standIn!.certificate).not.toBe(through.standIn!.certificate)
  })
})
