import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import {
  alternativeNames,
  commonName,
  isAuthority,
  keyUsage,
  notAnAuthority,
  onlyFor,
  publicKeyOf,
  writeCertificate,
} from '../../../src/basics/x509.ts'
import { createAuthority, createCertificate } from '../../../src/simulator/tls/create-certificate.ts'
import { afterwards } from '../../support/afterwards.ts'
import { listening } from '../../support/http.ts'

const HOST = 'api.example.com'
const authority = createAuthority([HOST], 1)

/** A certificate with these extensions, signed by another authority or self-signed. */
function signed(name: string, extensions: Uint8Array[], by?: { name: string; privateKey: KeyObject }) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const now = Date.now()
  const times = { from: now - 60_000, to: now + 60_000 * 60 }
  const names = { issuer: commonName(by?.name ?? name), subject: commonName(name) }
  const contents = { serial: BigInt(now), ...times, ...names, key: publicKeyOf(privateKey), extensions }
  const cert = writeCertificate(contents, by?.privateKey ?? privateKey)
  return { name, privateKey, cert, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

/** Whether a client that trusts the authority accepts a certificate for a name or an address. */
async function accepts(issued: { key: string; cert: string }, servername: string, ca = authority.cert) {
  const port = await listening(createServer(issued))
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

  const others = ['www.example.com', 'example.com', `x${HOST}`, 'evil.test', 'localhost']
  it.each(others)('is not trusted for %s', async name => {
    expect(await accepts(authority.issue(name), name)).toBe('permitted subtree violation')
  })

  it('has a certificate that excludes addresses and further authorities', () => {
    const { raw } = new X509Certificate(authority.cert)
    for (const extension of [onlyFor([HOST]), isAuthority()]) expect(raw.includes(extension)).toBe(true)
    expect(new X509Certificate(authority.issue(HOST).cert).ca).toBe(false)
  })

  it('is not trusted for an address or for a certificate of an authority below it', async () => {
    const root = signed('root', [isAuthority(), keyUsage('certificates'), onlyFor([HOST])])
    const byAddress = signed('leaf', [notAnAuthority(), alternativeNames([Uint8Array.of(127, 0, 0, 1)])], root)
    expect(await accepts(byAddress, '', root.cert)).toBe('excluded subtree violation')
    const other = signed('other', [isAuthority(), keyUsage('certificates')], root)
    const byOther = signed('leaf', [notAnAuthority(), alternativeNames([HOST])], other)
    const chain = { key: byOther.key, cert: byOther.cert + other.cert }
    expect(await accepts(chain, HOST, root.cert)).toBe('path length constraint exceeded')
    const direct = signed('leaf', [notAnAuthority(), alternativeNames([HOST])], root)
    expect(await accepts(direct, HOST, root.cert)).toBe('accepted')
  })
})

describe('A self-signed certificate', () => {
  it('is accepted only for its names and addresses', async () => {
    const made = createCertificate(['localhost', 'sim.example', '127.0.0.1', '::1'], 1)
    expect(new X509Certificate(made.cert).subjectAltName).toBe(
      'DNS:localhost, DNS:sim.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(await accepts(made, 'sim.example', made.cert)).toBe('accepted')
    expect(await accepts(made, 'other.example', made.cert)).toContain('Host: other.example. is not in the cert')
  })
})
