import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../../src/index.ts'
import { expectRefusal, rawClient } from '../api/raw-http.ts'
import { folderWith } from '../support/cli.ts'
import { simulate } from '../support/simulate.ts'

/** A certificate for a name of one's own, signed by an authority of one's own. */
async function certificate() {
  const authority = await generate([{ name: 'commonName', value: 'our authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true }],
  })
  const ca = { key: authority.private, cert: authority.cert }
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'api.test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca,
  })
  return { cert, key, ca: ca.cert }
}

const { cert, key, ca } = await certificate()
const other = await certificate()
const folder = folderWith({ 'cert.pem': cert, 'key.pem': key, 'other.pem': other.key, 'text.pem': 'hello' })
const file = (name: string) => join(folder, name)
const own: SimulatorOptions = { tlsCert: file('cert.pem'), tlsKey: file('key.pem') }

describe('tlsCert and tlsKey', () => {
  it('serve HTTPS with a certificate of one’s own, which clients trust as they do elsewhere', async () => {
    await using sim = await startSimulator(own)
    expect(sim.url).toMatch(/^https:/)
    const headers = { authorization: `Bearer ${sim.token}`, 'service-version': '2' }
    const options = { ca, servername: 'api.test', headers, agent: false }
    const [res] = await once(request(`${sim.url}/api_keys`, options).end(), 'response')
    expect(res.statusCode).toBe(200)
    res.resume()
  })

  it('let the handle steer its simulator, whoever signed the certificate', async () => {
    await using sim = await startSimulator(own)
    expect((await (await sim.sandbox()).state()).api_keys).toHaveLength(3)
    expect(sim.certificate).toBeUndefined()
  })

  it.each<[string, SimulatorOptions, object]>([
    ['a certificate alone', { tlsCert: file('cert.pem') }, { code: 'INVALID_OPTION', message: /needs --tls-key too/ }],
    ['a key alone', { tlsKey: file('key.pem') }, { code: 'INVALID_OPTION', message: /needs --tls-cert too/ }],
    [
      'a file that is not there',
      { ...own, tlsCert: file('no.pem') },
      { code: 'INVALID_FILE', message: /no such file/ },
    ],
    ['what is no certificate', { ...own, tlsCert: file('text.pem') }, { message: /is not a certificate in PEM/ }],
    ['what is no key', { ...own, tlsKey: file('text.pem') }, { message: /is not a private key in PEM/ }],
    ['the key of another', { ...own, tlsKey: file('other.pem') }, { code: 'INVALID_FILE', message: /cannot be used/ }],
  ])('refuse %s', async (_, options, expected) => {
    const { message, ...rest } = expected as { message: RegExp }
    const error = await startSimulator(options).catch(error => error)
    expect(error).toMatchObject(rest)
    expect(error.message).toMatch(message)
  })

  it('are read at the start', async () => {
    const again = { tlsCert: file('again.pem'), tlsKey: file('key.pem') }
    writeFileSync(again.tlsCert, cert)
    await using sim = await startSimulator(again)
    writeFileSync(again.tlsCert, 'gone')
    expect((await sim.default.state()).users).toHaveLength(2)
  })
})

describe('Plain HTTP at a port that speaks HTTPS', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT']

  it('is told so in plain words, whatever the method, and the connection ends', async () => {
    const sim = await simulate({ tls: true })
    for (const method of METHODS) {
      const answer = await rawClient(sim.port).send(method, '/api_keys', 'x'.repeat(10_000))
      const { msg } = expectRefusal(answer, 400, 400)
      expect(msg).toBe(`This port speaks HTTPS. Use https://127.0.0.1:${sim.port} instead.`)
      expect(answer.headers.get('connection')).toBe('close')
    }
  })

  it('is told so by an HTTPS edge too', async () => {
    const https_edges = [{ id: 'edghts_web', listen: '127.0.0.1:0', routes: [] }]
    const { listeners } = await simulate({ fixture: { https_edges } })
    const { port } = new URL(listeners[0]!.url!)
    const { msg } = expectRefusal(await rawClient(Number(port)).request(), 400, 400)
    expect(msg).toContain(`Use https://127.0.0.1:${port} instead.`)
  })

  it('does no harm: bytes that are neither are ended, and HTTPS goes on', async () => {
    await using sim = await startSimulator({ tls: true })
    const { port } = new URL(sim.url)
    for (const bytes of ['\x00\x01\x02', '\x16\x03\x01\x00\x05hello', '\r\n\r\n'.repeat(100)])
      await new Promise(resolve => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
        socket.on('close', resolve).resume().end(bytes, 'latin1')
      })
    expect((await sim.default.state()).users).toHaveLength(2)
  })
})
