import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../../src/index.ts'
import { folderWith } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { ask, askProxy, GOOD, HOST, reachHost, tunnel } from './tunnel.ts'

describe('A simulator that stands in for a host', () => {
  it('serves the host address, with HTTP/1.1 and its uris', async () => {
    const sim = await simulate({ as: [HOST] })
    const secure = await reachHost(sim)
    expect(secure.alpnProtocol).toBe('http/1.1')
    const { status, body } = await ask(secure, { path: '/api_keys?limit=1' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      uri: `https://${HOST}/api_keys`,
      next_page_uri: expect.stringContaining(`https://${HOST}/api_keys?`),
      keys: [{ uri: `https://${HOST}/api_keys/ak_ci` }],
    })
    const { requests } = (await sim.call('GET', '/_sim/requests')).body
    expect(requests).toMatchObject([
      { path: '/api_keys', source_ip: '127.0.0.1', request: { headers: { host: HOST } } },
    ])
  })

  it('uses the vendor of a known host, and the host of a known vendor, by default', async () => {
    expect((await simulate({ as: true, vendor: 'ngrok' })).standIn!.hosts).toEqual([HOST])
    const known = await simulate({ as: [HOST] })
    expect((await ask(await reachHost(known), { path: '/api_keys/x' })).body.error_code).toBe('ERR_NGROK_222')
    const other = await simulate({ as: [HOST], vendor: 'acme' })
    const headers = { ...GOOD, 'acme-version': '2' }
    const { body } = await ask(await reachHost(other), { path: '/api_keys/x', headers })
    expect(body.error_code).toBe('ERR_ACME_222')
  })

  it.each(['http', 'https'])('serves requests with an absolute URL of %s, including writes', async scheme => {
    const sim = await simulate({ as: [HOST] })
    const { status, body } = await askProxy(sim, `${scheme}://${HOST}/api_keys`, { method: 'POST', body: {} })
    expect(status).toBe(201)
    expect(body.uri).toBe(`${scheme}://${HOST}/api_keys/${body.id}`)
    expect((await askProxy(sim, `${scheme}://${HOST.toUpperCase()}/api_keys/${body.id}`)).status).toBe(200)
    const { requests } = (await sim.call('GET', '/_sim/requests')).body
    expect(Object.keys(requests[0].request.headers)).not.toContain('proxy-authorization')
  })

  it('serves plain HTTP in a connection to port 80', async () => {
    const sim = await simulate({ as: [HOST] })
    const { socket } = await tunnel(sim, `${HOST}:80`)
    expect((await ask(socket)).body.uri).toBe(`http://${HOST}/api_keys`)
  })

  it('stands in for several hosts, each with its own certificate and address', async () => {
    const hosts = ['api.one.example', 'api.two.example']
    const sim = await simulate({ as: hosts })
    for (const host of hosts) {
      const secure = await reachHost(sim, host)
      expect(secure.getPeerCertificate().subjectaltname).toBe(`DNS:${host}`)
      const headers = { ...GOOD, host, 'service-version': '2' }
      expect((await ask(secure, { headers })).body.uri).toBe(`https://${host}/api_keys`)
    }
  })

  it('also serves sandboxes, scenarios and faults there', async () => {
    const rules = [
      { when: { operation: 'list_api_keys' as const }, fault: { type: 'reset' as const } },
      { when: { operation: 'list_ip_restrictions' as const }, fault: { type: 'hang' as const } },
    ]
    const sim = await simulate({ as: [HOST], scenario: { name: 'broken', rules } })
    const inSandbox = { ...GOOD, authorization: 'Bearer sim_admin~mine' }
    await expect(ask(await reachHost(sim), { headers: inSandbox })).rejects.toMatchObject({ code: 'ECONNRESET' })
    const hanging = ask(await reachHost(sim), { path: '/ip_restrictions', headers: inSandbox })
    await expect.poll(async () => (await sim.call('GET', '/_sim/sandboxes/mine/requests')).body.requests.length).toBe(2)
    expect((await sim.call('POST', '/_sim/sandboxes/mine/reset')).status).toBeLessThan(300)
    await expect(hanging).resolves.toMatchObject({ status: 503 })
  })

  it('is found by processes with the variables of sim.env, and removes its files', async () => {
    const sim = await startSimulator({ as: [HOST], controlToken: 'secret' })
    const { env } = sim
    expect(env).toMatchObject({ EDGESIM_URL: sim.url, EDGESIM_TOKEN: 'sim_admin', EDGESIM_CONTROL_TOKEN: 'secret' })
    expect(existsSync(env.SSL_CERT_FILE!)).toBe(true)
    expect(sim.certificate).toContain('BEGIN CERTIFICATE')
    await sim.close()
    expect(existsSync(dirname(env.SSL_CERT_FILE!))).toBe(false)
    const ports = Object.values<number>(JSON.parse(env.EDGESIM_STAND_IN!)[HOST])
    for (const port of [...ports, Number(new URL(env.HTTPS_PROXY!).port)])
      await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('lists the variables at /_sim/env, without the control token', async () => {
    const sim = await simulate({ as: [HOST], controlToken: 'secret' })
    const { body } = await sim.call('GET', '/_sim/env', undefined, { token: 'secret' })
    expect(body.variables).toMatchObject({ EDGESIM_URL: sim.url, HTTPS_PROXY: sim.standIn!.proxy })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect((await sim.call('GET', '/_sim/env')).status).toBe(401)
  })

  it.each<[string, object, RegExp]>([
    ['a host of an unknown vendor', { as: true }, /--as: unknown API host of the vendor "service"\. Use --as HOST/],
    ['an address', { as: ['127.0.0.1'] }, /as: must be a host name like api\.example\.com/],
    ['a name of this machine', { as: ['localhost'] }, /must be a host name/],
    ['a URL', { as: ['https://api.ngrok.com'] }, /without scheme, port or path, got "https/],
    ['a pattern', { as: ['*.ngrok.com'] }, /must be a host name/],
    ['--pass-through without a host', { passThrough: true }, /--pass-through requires --as HOST/],
  ])('rejects %s', async (_, options, message) => {
    const error = await startSimulator(options).catch(error => error)
    expect(error).toMatchObject({ code: 'INVALID_OPTION' })
    expect(error.message).toMatch(message)
  })

  it('is not needed if the network resolves the host to the simulator, which serves its HTTPS', async () => {
    const sim = await simulate({ tlsDir: join(folderWith(), 'tls'), allowedHost: [HOST], vendor: 'ngrok' })
    const secure = connectTls({ port: sim.port, host: '127.0.0.1', servername: HOST, ca: sim.certificate })
    await once(secure, 'secureConnect')
    expect((await ask(secure)).body.uri).toBe(`https://${HOST}/api_keys`)
  })
})
