import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../../src/index.ts'
import { folderWith } from '../support/cli.ts'

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
