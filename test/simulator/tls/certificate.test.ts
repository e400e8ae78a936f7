import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { type SimulatorOptions, startSimulator } from '../../../src/index.ts'
import { createHttpServer } from '../../../src/server/http/server.ts'
import { reset } from '../../../src/server/http/sockets.ts'
import { afterwards, folderWith } from '../../support/afterwards.ts'
import { expectRefusal, listening } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { dial, rawClient, talk } from '../../support/raw-http.ts'

/** A certificate for api.test, signed by a new authority. */
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
  it('serve HTTPS with the given certificate', async () => {
    await using sim = await startSimulator(own)
    expect(sim.url).toMatch(/^https:/)
    const headers = { authorization: `Bearer ${sim.token}`, 'service-version': '2' }
    const options = { ca, servername: 'api.test', headers, agent: false }
    const [res] = await once(request(`${sim.url}/api_keys`, options).end(), 'response')
    expect(res.statusCode).toBe(200)
    res.resume()
  })

  it('let the handle control its simulator, with any authority', async () => {
    await using sim = await startSimulator(own)
    expect((await (await sim.sandbox()).state()).api_keys).toHaveLength(3)
    expect(sim.certificate).toBeUndefined()
  })

  it.each<[string, SimulatorOptions, object]>([
    ['a certificate only', { tlsCert: file('cert.pem') }, { code: 'INVALID_OPTION', message: /requires --tls-key/ }],
    ['a key only', { tlsKey: file('key.pem') }, { code: 'INVALID_OPTION', message: /requires --tls-cert/ }],
    ['a missing file', { ...own, tlsCert: file('no.pem') }, { code: 'INVALID_FILE', message: /no such file/ }],
    ['an invalid certificate', { ...own, tlsCert: file('text.pem') }, { message: /is not a certificate in PEM/ }],
    ['an invalid key', { ...own, tlsKey: file('text.pem') }, { message: /is not a private key in PEM/ }],
    ['another key', { ...own, tlsKey: file('other.pem') }, { code: 'INVALID_FILE', message: /does not match the key/ }],
  ])('reject %s', async (_, options, expected) => {
    const { message, ...rest } = expected as { message: RegExp }
    const error = await startSimulator(options).catch(error => error)
    expect(error).toMatchObject(rest)
    expect(error.message).toMatch(message)
  })

  it('are read at startup', async () => {
    const again = { tlsCert: file('again.pem'), tlsKey: file('key.pem') }
    writeFileSync(again.tlsCert, cert)
    await using sim = await startSimulator(again)
    writeFileSync(again.tlsCert, 'gone')
    expect((await sim.default.state()).users).toHaveLength(2)
  })
})

describe('tlsDir', () => {
  const newDir = () => join(folderWith(), 'tls')
  const served = async (options: SimulatorOptions) => {
    await using sim = await startSimulator(options)
    return sim.certificate!
  }

  it('serves HTTPS with the same certificate after a restart, and only its owner can read it', async () => {
    const tlsDir = newDir()
    await using sim = await startSimulator({ tlsDir })
    expect(sim.url).toMatch(/^https:/)
    expect(await served({ tlsDir })).toBe(sim.certificate)
    expect(readFileSync(join(tlsDir, 'ca.pem'), 'utf8')).toBe(sim.certificate)
    expect(readdirSync(tlsDir).toSorted()).toEqual(['ca.pem', 'key.pem'])
    const modes = [tlsDir, join(tlsDir, 'key.pem')].map(path => statSync(path).mode & 0o777)
    if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o600])
    expect(sim.certificate).not.toContain('PRIVATE')
  })

  it('contains one certificate for simulators that start at the same time', async () => {
    const tlsDir = newDir()
    const certificates = await Promise.all(Array.from({ length: 5 }, () => served({ tlsDir })))
    expect(new Set(certificates).size).toBe(1)
  })

  it('gets a new certificate if a host name is missing, and reuses one with more names', async () => {
    const tlsDir = newDir()
    const first = await served({ tlsDir })
    const more = { allowedHost: ['edgesim', '.cluster.local'], baseUrl: 'https://Sim.example.test:8443' }
    const second = await served({ tlsDir, ...more })
    expect(second).not.toBe(first)
    const { subjectAltName } = new X509Certificate(second)
    expect(subjectAltName).toMatch(/^DNS:localhost, .*DNS:edgesim, DNS:sim\.example\.test$/)
    expect(await served({ tlsDir, ...more })).toBe(second)
    expect(await served({ tlsDir })).toBe(second)
  })

  it('gets a new certificate if the old one has expired', async () => {
    const tlsDir = newDir()
    mkdirSync(tlsDir)
    const name = [{ name: 'commonName', value: 'localhost' }]
    const [notBeforeDate, notAfterDate] = [new Date('2020-01-01'), new Date('2020-02-01')]
    const names = ['127.0.0.1', '::1'].map(ip => ({ type: 7 as const, ip }))
    const altNames = [{ type: 2 as const, value: 'localhost' }, ...names]
    const extensions = [{ name: 'subjectAltName' as const, altNames }]
    const old = await generate(name, { keyType: 'ec', notBeforeDate, notAfterDate, extensions })
    writeFileSync(join(tlsDir, 'key.pem'), `${old.private}\n${old.cert}`)
    const { validTo } = new X509Certificate(await served({ tlsDir }))
    expect(Date.parse(validTo)).toBeGreaterThan(Date.now())
  })

  it.each<[string, () => SimulatorOptions, object]>([
    [
      'a file',
      () => ({ tlsDir: file('text.pem') }),
      {
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^--tls-dir .*text\.pem: \S+text\.pem is not a directory\. Choose a/),
      },
    ],
    [
      'a folder inside a file',
      () => ({ tlsDir: file('text.pem/tls') }),
      {
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^--tls-dir .*: .*text\.pem.* is not a directory\. Choose a/),
      },
    ],
    [
      'a folder inside a missing folder',
      () => ({ tlsDir: file('none/tls') }),
      {
        code: 'INVALID_OPTION',
        message: expect.stringMatching(/^--tls-dir .*: no such directory: \S+none\. Choose a/),
      },
    ],
    [
      'a damaged key',
      () => ({ tlsDir: folderWith({ 'key.pem': 'hello' }) }),
      {
        code: 'INVALID_FILE',
        message: expect.stringMatching(/key\.pem.* is unusable: .* Remove it to generate a new one/),
      },
    ],
    [
      'another key',
      () => ({ tlsDir: folderWith({ 'key.pem': `${cert}\n${other.key}` }) }),
      { code: 'INVALID_FILE', message: expect.stringMatching(/the key does not match the certificate/) },
    ],
    ['tlsCert with it', () => ({ ...own, tlsDir: folder }), { code: 'INVALID_OPTION', message: expect.any(String) }],
  ])('rejects %s', async (_, options, expected) => {
    await expect(startSimulator(options())).rejects.toMatchObject(expected)
  })
})

describe('Plain HTTP on an HTTPS port', () => {
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT']

  it('gets an error with the right URL for every method, and is disconnected', async () => {
    const sim = await simulate({ tls: true })
    for (const method of METHODS) {
      const response = await rawClient(sim.port).send(method, '/api_keys', 'x'.repeat(10_000))
      const { msg } = expectRefusal(response, 400, 400)
      expect(msg).toBe(`This port speaks HTTPS. Use https://127.0.0.1:${sim.port} instead.`)
      expect(response.headers.get('connection')).toBe('close')
    }
  })

  it('gets an error with the right URL from an HTTPS edge', async () => {
    const https_edges = [{ id: 'edghts_web', listen: '127.0.0.1:0', routes: [] }]
    const { listeners } = await simulate({ fixture: { https_edges } })
    const { port } = new URL(listeners[0]!.url!)
    const { msg } = expectRefusal(await rawClient(Number(port)).request(), 400, 400)
    expect(msg).toContain(`Use https://127.0.0.1:${port} instead.`)
  })

  it('does not disturb HTTPS, nor do other bytes', async () => {
    await using sim = await startSimulator({ tls: true })
    const { port } = new URL(sim.url)
    for (const bytes of ['\x00\x01\x02', '\x16\x03\x01\x00\x05hello', '\r\n\r\n'.repeat(100)])
      await talk(Number(port), Buffer.from(bytes, 'latin1'))
    expect((await sim.default.state()).users).toHaveLength(2)
  })
})

describe('A reset below TLS', () => {
  it.skipIf(process.platform !== 'linux')('ends its own connection, even if another has the same port', async () => {
    const classes = { Request: IncomingMessage, Response: ServerResponse }
    const onRequest = (req: IncomingMessage, res: ServerResponse) =>
      void (req.url === '/' ? res.end() : reset(req.socket))
    const settings = { classes, vendor: 'x', tls: { key, cert }, timeouts: { headers: 5, request: 5 }, onRequest }
    const port = await listening(createHttpServer(settings))
    const second = createHttpServer(settings).listen(port, '127.0.0.2')
    afterwards(() => second.close().closeAllConnections())
    const how = { ca, from: '127.0.0.1', rejectUnauthorized: false }
    const first = dial(port, how)
    await once(first.socket, 'secureConnect')
    const other = dial(port, { ...how, host: '127.0.0.2', localPort: first.socket.localPort })
    await once(other.socket, 'secureConnect')
    first.socket.write('GET /reset HTTP/1.1\r\n\r\n')
    expect(await first.closed).toMatchObject({ said: '' })
    other.socket.write('GET / HTTP/1.1\r\n\r\n')
    await expect.poll(other.said).toMatch(/^HTTP\/1\.1 200 /)
  })
})
