import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { makeAuthority, makeCertificate } from '../../src/http/make-certificate.ts'
import { afterwards } from '../support/afterwards.ts'

const HOST = 'api.example.com'
const authority = makeAuthority([HOST], 1)

/** Whether a client that trusts the authority accepts a certificate that it has signed, for a name or an address. */
async function accepts(issued: { key: string; cert: string }, servername: string, ca = authority.cert) {
  const server = createServer(issued).listen(0, '127.0.0.1')
  afterwards(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1', servername, ca })
  afterwards(() => client.destroy())
  return once(client, 'secureConnect').then(
    () => 'accepted',
    ({ message }: Error) => message,
  )
}

describe('The authority', () => {
  it('signs for the host and for names below it', async () => {
    expect(await accepts(authority.issue(HOST), HOST)).toBe('accepted')
    expect(await accepts(authority.issue(`eu.${HOST}`), `eu.${HOST}`)).toBe('accepted')
  })

  it.each([
    'www.example.com',
    'example.com',
    `x${HOST}`,
    'evil.test',
    'localhost',
  ])('is not believed about %s', async name => {
    expect(await accepts(authority.issue(name), name)).toBe('permitted subtree violation')
  })

  it('cannot make another authority', async () => {
    const { ca, subject } = new X509Certificate(authority.cert)
    expect({ ca, subject }).toMatchObject({ ca: true, subject: expect.stringContaining(HOST) })
    expect(new X509Certificate(authority.issue(HOST).cert).ca).toBe(false)
  })

  it('is not believed about addresses', async () => {
    const { cert } = authority
    // The extension and its two excluded ranges: addresses and masks of zeros.
    const der = new X509Certificate(cert).raw.toString('hex')
    expect(der).toContain('0603551d1e0101ff')
    expect(der).toContain(`8708${'00'.repeat(8)}`)
    expect(der).toContain(`8720${'00'.repeat(32)}`)
  })
})

describe('A self-signed certificate', () => {
  it('is accepted for its names and addresses only', async () => {
    const made = makeCertificate(['localhost', 'sim.example', '127.0.0.1', '::1'], 1)
    expect(new X509Certificate(made.cert).subjectAltName).toBe(
      'DNS:localhost, DNS:sim.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(await accepts(made, 'sim.example', made.cert)).toBe('accepted')
    expect(await accepts(made, 'other.example', made.cert)).toContain('Host: other.example. is not in the cert')
  })
})
