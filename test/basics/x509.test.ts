import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DerError, element, oid, readElements, readOid, sequence, TAG, time } from '../../src/basics/der.ts'
import type { Shape } from '../../src/basics/shape.ts'
import { toPem } from '../../src/basics/x509.ts'
import { ApiError } from '../../src/engine/error.ts'
import { issueCertificate } from '../../src/ngrok/certificates/issue.ts'
import { readCertificate, readPem } from '../../src/ngrok/certificates/pem.ts'
import { authorityPem, certificatePem, isPair, privateKeyPem } from '../../src/ngrok/certificates/shapes.ts'
import { codeOf } from '../../src/ngrok/codes.ts'
import { errors } from '../../src/ngrok/errors.ts'
import { ALL } from '../support/long.ts'

/** Generated with openssl: unusual names, RSA without extensions, and a leaf with its intermediate and root. */
const [names, rsa, chain] = ['names', 'rsa-v1', 'chain'].map(name =>
  readFileSync(join(import.meta.dirname, `${name}.pem`), 'utf8'),
) as [string, string, string]
const [leaf, intermediate, root] = readPem(chain).map(({ type, der }) => toPem(type, der)) as [string, string, string]
const readDer = (der: Uint8Array) => readCertificate(toPem('CERTIFICATE', der))
const exampleOf = ({ json }: Shape) => (json.examples as string[])[0]!

describe('Reading a certificate', () => {
  it('finds names with unusual characters, addresses and usages', () => {
    const usages = 'serverAuth clientAuth codeSigning emailProtection timeStamping ocspSigning 1.2.3.4.5678901234'
    expect(readCertificate(names)).toEqual({
      subject_common_name: 'quote"d, name.example',
      subject_organization: 'Müller, Söhne "& Co"',
      subject_organizational_unit: 'CN=not a name',
      subject_locality: 'München',
      subject_province: 'Bayern',
      subject_country: 'DE',
      issuer_common_name: 'quote"d, name.example',
      serial_number: '054ba70dd03882382d11b640f30f4b8e1be5ddb1',
      not_before: '2026-11-16T22:09:46Z',
      not_after: '2051-07-08T22:09:46Z',
      key_usages: ['digitalSignature', 'keyAgreement', 'decipherOnly'],
      extended_key_usages: usages.split(' '),
      private_key_type: 'ecdsa',
      subject_alternative_names: {
        dns_names: ['a.example', '*.b.example', 'c,DNS:evil.example'],
        ips: ['192.0.2.1', '2001:db8::7'],
      },
      is_authority: false,
    })
  })

  it('returns empty values for missing extensions', () => {
    expect(readCertificate(rsa)).toMatchObject({
      ...{ subject_common_name: 'rsa.example', subject_organization: '', serial_number: '01', private_key_type: 'rsa' },
      ...{ key_usages: [], extended_key_usages: [], subject_alternative_names: { dns_names: [], ips: [] } },
    })
  })

  it('uses the first of several certificates', () => {
    expect(readCertificate(chain)).toMatchObject({ subject_common_name: 'leaf.example', is_authority: false })
    expect(readCertificate(`${intermediate}${leaf}`)).toMatchObject({
      subject_common_name: 'Intermediate',
      issuer_common_name: 'Root',
      key_usages: ['certSign'],
      is_authority: true,
    })
  })

  it.each([names, rsa, leaf, intermediate, root])('agrees with Node.js on serial number and times', pem => {
    const { serial_number, not_before, not_after, is_authority } = readCertificate(pem)
    const { serialNumber, validFrom, validTo, ca } = new X509Certificate(pem)
    expect([serial_number.toUpperCase(), is_authority]).toEqual([serialNumber, ca])
    expect([not_before, not_after].map(Date.parse)).toEqual([validFrom, validTo].map(Date.parse))
  })

  it('caches a frozen result for the same PEM', () => {
    expect(readCertificate(names)).toBe(readCertificate(names))
    expect(() => (readCertificate(names).key_usages as string[]).push('certSign')).toThrow(TypeError)
  })

  it('accepts CRLF and text around the PEM block', () => {
    const remarked = `Bag Attributes\n  friendlyName: a\n${rsa}after`.replaceAll('\n', '\r\n')
    expect(readCertificate(remarked)).toEqual(readCertificate(rsa))
  })

  it('decodes BMP and Teletex strings, and rejects invalid strings', () => {
    const { der } = readPem(issued('ecdsa'))[0]!
    const name = element(TAG.utf8, Buffer.from('shop.example'))
    const at = der.indexOf(name)
    const read = (tag: number, bytes: Uint8Array) =>
      readDer(Buffer.concat([der.subarray(0, at), element(tag, bytes), der.subarray(at + name.length)]))
        .subject_common_name
    expect(read(TAG.bmp, Buffer.from('日本語株式会', 'utf16le').swap16())).toBe('日本語株式会')
    expect(read(TAG.teletex, Buffer.from('caf\xe9.example', 'latin1'))).toBe('café.example')
    expect(() => read(TAG.utf8, Buffer.alloc(12, 0xff))).toThrow(DerError)
    expect(() => read(TAG.printable, Buffer.alloc(12, 0xe9))).toThrow(DerError)
    expect(() => read(TAG.bmp, Buffer.alloc(12, 0xd8))).toThrow(DerError)
  })

  const [small] = readPem(names)
  const ends = (bytes: Uint8Array) => {
    try {
      return typeof readDer(bytes).serial_number === 'string'
    } catch (error) {
      return error instanceof DerError
    }
  }

  it('throws a DerError for every truncated certificate', () => {
    for (let length = 0; length < small!.der.length; length++)
      expect(() => readDer(small!.der.subarray(0, length)), `${length}`).toThrow(DerError)
  })

  it('returns a result or throws a DerError for any bytes', () => {
    const anywhere = fc.array(fc.tuple(fc.nat(small!.der.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    const changed = anywhere.map(changes => {
      const bytes = Buffer.from(small!.der)
      for (const [at, byte] of changes) bytes[at] = byte
      return bytes
    })
    const bytes = fc.oneof(changed, fc.uint8Array({ maxLength: 200 }))
    fc.assert(
      fc.property(bytes, each => {
        expect(ends(each)).toBe(true)
      }),
      { numRuns: ALL ? 1000 : 300 },
    )
  })

  it('finds complete blocks among any lines', () => {
    const line = fc.constantFrom('-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', 'AA==', 'a: b', '', '-')
    const lines = fc.array(fc.oneof(line, fc.string()), { maxLength: 20 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = readPem([...before, rsa.trim(), ...after].join('\n'))
        expect(found.filter(({ der }) => der.equals(readPem(rsa)[0]!.der))).toHaveLength(1)
      }),
    )
  })

  it('rejects bytes after the certificate', () => {
    expect(() => readDer(Buffer.concat([small!.der, Buffer.from([5, 0])]))).toThrow(DerError)
  })
})

describe('DER', () => {
  it.each([
    ...'1.2.840.113549.1.1.1 2.5.29.15 0.9.2342 2.999.1 2.25.329800735698586629295641978511506172918'.split(' '),
  ])('encodes and decodes the object identifier %s', dotted => {
    expect(readOid(readElements(oid(dotted))[0])).toBe(dotted)
  })

  it('encodes and decodes content of any length', () => {
    for (const content of [0, 127, 128, 255, 256, 65536].map(length => Buffer.alloc(length, 7)))
      expect(readElements(sequence(content))).toMatchObject([{ tag: TAG.sequence, content }])
  })

  it.each([
    ['no length', [0x30]],
    ['a truncated length', [0x30, 0x82, 0x01]],
    ['an indefinite length', [0x30, 0x80, 0, 0]],
    ['a length of five bytes', [0x30, 0x85, 0, 0, 0, 0, 0]],
    ['a length beyond its end', [0x30, 0x84, 0xff, 0xff, 0xff, 0xff]],
    ['a long tag', [0x1f, 0x81, 0x01, 0]],
  ])('rejects an element with %s', (_, bytes) => {
    expect(() => readElements(Buffer.from(bytes))).toThrow(DerError)
  })

  it('writes years from 2050 with four digits', () => {
    expect(String(time(Date.UTC(2049, 11, 31)).subarray(2))).toBe('491231000000Z')
    expect(String(time(Date.UTC(2050, 0, 1)).subarray(2))).toBe('20500101000000Z')
  })
})

const issued = (type: 'rsa' | 'ecdsa', domain = 'shop.example') =>
  issueCertificate({
    domain,
    private_key_type: type,
    not_before: '2026-01-01T00:00:00Z',
    not_after: '2051-06-30T12:00:00Z',
    issuer: 'A Test Authority',
    serial: '00ff'.repeat(4).slice(2),
  }).certificate_pem

describe('An issued certificate', () => {
  it.each(['rsa', 'ecdsa'] as const)('of type %s has the requested values, for edgesim and Node.js', type => {
    const pem = issued(type, '*.shop.example')
    expect(readCertificate(pem)).toMatchObject({
      subject_common_name: '*.shop.example',
      issuer_common_name: 'A Test Authority',
      serial_number: 'ff00ff00ff00ff',
      not_before: '2026-01-01T00:00:00Z',
      not_after: '2051-06-30T12:00:00Z',
      key_usages: type === 'rsa' ? ['digitalSignature', 'keyEncipherment'] : ['digitalSignature'],
      extended_key_usages: ['serverAuth', 'clientAuth'],
      private_key_type: type,
      subject_alternative_names: { dns_names: ['*.shop.example'], ips: [] },
      is_authority: false,
    })
    const byNode = new X509Certificate(pem)
    expect(byNode.checkHost('www.shop.example')).toBe('*.shop.example')
    expect(byNode.publicKey.asymmetricKeyType).toBe(type === 'rsa' ? 'rsa' : 'ec')
    expect(certificatePem.find(pem)).toBeUndefined()
  })

  it('is the same for the same values, with a different key per domain', () => {
    expect(issued('ecdsa')).toBe(issued('ecdsa'))
    const keys = ['a.example', 'b.example'].map(domain => new X509Certificate(issued('ecdsa', domain)).publicKey)
    expect(keys[0]!.equals(keys[1]!)).toBe(false)
  })
})

/** The documented error code and message for a value. */
function errorFor(shape: Shape, value: unknown) {
  const [problem] = shape.find(value) ?? []
  if (!problem) return undefined
  const kind = problem.error ?? errors.invalid_value
  return [codeOf(kind).code, ApiError.of(kind, { field: 'the_pem', ...problem }).message] as const
}

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pkcs8 = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const sec1 = pair.privateKey.export({ type: 'sec1', format: 'pem' }) as string
const x25519 = generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const encrypted = (type: 'pkcs8' | 'sec1') =>
  pair.privateKey.export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }) as string
const junk = toPem('CERTIFICATE', Buffer.from('not DER'))
const tooLong = 'a'.repeat(16_385)

describe('PEM in a request', () => {
  it('is accepted for the schema examples, which form a pair', () => {
    const [certificate, key] = [exampleOf(certificatePem), exampleOf(privateKeyPem)]
    expect([certificatePem.find(certificate), privateKeyPem.find(key)]).toEqual([undefined, undefined])
    expect(authorityPem.find(exampleOf(authorityPem))).toBeUndefined()
    expect(isPair(certificate, key)).toBe(true)
    expect([isPair(certificate, pkcs8), isPair(names, key)]).toEqual([false, false])
  })

  it.each([names, rsa, chain, `${leaf}${intermediate}`])('is accepted for a certificate with its chain', pem => {
    expect(errorFor(certificatePem, pem)).toBeUndefined()
  })

  it.each<[string, string, number, RegExp]>([
    ['an empty string', '', 1922, /got an empty string/],
    ['not PEM', names.replaceAll('\n', ''), 1922, /lines from -----BEGIN CERTIFICATE-----/],
    ['another PEM type', toPem('PUBLIC KEY', Buffer.from('x')), 1922, /got a string of \d+ bytes/],
    ['a key', pkcs8, 1925, /got a string with a private key/],
    ['a certificate and its key', `${names}${sec1}`, 1925, /got a string with a private key/],
    ['a certificate and part of its key', `${names}${sec1.slice(0, 100)}`, 1925, /with a private key/],
    ['not X.509', junk, 1900, /an unreadable certificate \(an element is longer/],
    ['headers', names.replace('\n', '\nA: b\n\n'), 1910, /got 1 header\./],
    ['too long', tooLong, 1921, /up to 16384 bytes of UTF-8, got 16385 bytes/],
    ['wrong order', `${leaf}${root}${intermediate}`, 1926, /"leaf.example" is not signed by "Root"/],
    ['unrelated certificates', `${chain}${names}`, 1926, /"Root" is not signed by "quote\\"d/],
  ])('is rejected as a certificate: %s', (_, pem, code, message) => {
    expect(errorFor(certificatePem, pem)).toEqual([code, expect.stringMatching(message)])
  })

  it.each<[string, string, number, RegExp]>([
    ['an empty string', '', 1919, /got an empty string/],
    ['not PEM', 'x', 1920, /got a string of 1 byte\./],
    ['a key', pkcs8, 1911, /got PEM of type PRIVATE KEY/],
    ['a certificate and part of its key', `${root}${sec1.slice(0, 100)}`, 1911, /with a private key/],
    ['not X.509', junk, 1900, /an unreadable certificate/],
    ['headers', root.replace('\n', '\nA: b\n\n'), 1910, /without headers/],
    ['several certificates', `${intermediate}${root}`, 1912, /2 certificates: "Intermediate"; "Root"/],
    ['not an authority', names, 1913, /without CA:TRUE in its basic constraints/],
    ['without basic constraints', rsa, 1913, /"rsa.example" without CA:TRUE in its basic/],
    ['too long', tooLong, 1921, /up to 16384 bytes/],
  ])('is rejected as an authority: %s', (_, pem, code, message) => {
    expect(errorFor(authorityPem, pem)).toEqual([code, expect.stringMatching(message)])
    expect(errorFor(authorityPem, root)).toBeUndefined()
  })

  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  it.each([pkcs8, sec1, parameters + sec1])('is accepted for a private key in a common format', key => {
    expect(errorFor(privateKeyPem, key)).toBeUndefined()
  })

  it.each<[string, string, number, RegExp]>([
    ['an empty string', '', 1901, /got an empty string/],
    ['not PEM', pkcs8.replaceAll('\n', ''), 1901, /got a string of \d+ bytes/],
    ['truncated', pkcs8.slice(0, -10), 1901, /got a string of \d+ bytes/],
    ['a certificate', names, 1924, /got a certificate/],
    ['encrypted', encrypted('pkcs8'), 1902, /encrypted/],
    ['encrypted in the legacy format', encrypted('sec1'), 1902, /encrypted/],
    ['another format', pkcs8.replaceAll('PRIVATE', 'OPENSSH PRIVATE'), 1903, /got a string of/],
    ['PEM without a key', toPem('PRIVATE KEY', Buffer.from('secret material')), 1903, /got a string of/],
    ['not a signing key', x25519, 1903, /RSA, ECDSA or Ed25519/],
    ['too long', tooLong, 215, /got 16385 bytes/],
  ])('is rejected as a private key without quoting it: %s', (_, key, code, message) => {
    expect(errorFor(privateKeyPem, key)).toEqual([code, expect.stringMatching(message)])
    const parts = key.match(/[A-Za-z0-9+/]{16,}/g) ?? []
    for (const shape of [privateKeyPem, certificatePem, authorityPem]) {
      const problems = JSON.stringify(shape.find(key) ?? '')
      expect(parts.filter(part => problems.includes(part.slice(0, 12)))).toEqual([])
    }
  })
})
