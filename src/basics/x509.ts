import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  contentOf,
  contextTag,
  element,
  integer,
  octetString,
  oid,
  readElements,
  readInside,
  sequence,
  set,
  TAG,
  time,
  trueValue,
  utf8,
} from './der.ts'

/** Writes certificates (RFC 5280), which node:crypto can only read. */

export interface Contents {
  serial: bigint
  /** In milliseconds since 1970. */
  from: number
  to: number
  /** The names of the authority and of the certificate's owner. */
  issuer: Uint8Array
  subject: Uint8Array
  /** The certified public key, from `publicKeyOf`. */
  key: Uint8Array
  extensions: Uint8Array[]
}

/** Signature algorithms by key type. */
const SIGNATURES: Record<string, { algorithm: Buffer; digest: string | null }> = {
  ed25519: { algorithm: sequence(oid('1.3.101.112')), digest: null },
  ec: { algorithm: sequence(oid('1.2.840.10045.4.3.2')), digest: 'sha256' },
}

/** Returns the certificate as PEM, signed with a private key. */
export function writeCertificate(contents: Contents, signer: KeyObject): string {
  const { serial, from, to, issuer, subject, key, extensions } = contents
  const { algorithm, digest } = SIGNATURES[signer.asymmetricKeyType!]!
  const signed = sequence(
    element(contextTag(0, 'elements'), integer(2n)),
    integer(serial),
    algorithm,
    issuer,
    sequence(time(from), time(to)),
    subject,
    key,
    element(contextTag(3, 'elements'), sequence(...extensions)),
  )
  return toPem('CERTIFICATE', sequence(signed, algorithm, bitString(sign(digest, signed, signer))))
}

export const toPem = (type: string, der: Uint8Array) =>
  `-----BEGIN ${type}-----\n${Buffer.from(der)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${type}-----\n`

export const publicKeyOf = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' })

export const commonName = (name: string) => sequence(set(sequence(oid('2.5.4.3'), utf8(name))))

const extension = (id: string, value: Uint8Array, critical = false) =>
  critical ? sequence(oid(id), trueValue(), octetString(value)) : sequence(oid(id), octetString(value))

/** Key usages and their bits. */
const USES = { signature: 0x80, keyEncipherment: 0x20, certificates: 0x04 }

export function keyUsage(...uses: (keyof typeof USES)[]): Buffer {
  const bits = uses.reduce((sum, use) => sum | USES[use], 0)
  const unused = 31 - Math.clz32(bits & -bits)
  return extension('2.5.29.15', bitString(Uint8Array.of(bits), unused), true)
}

const PURPOSES = { server: oid('1.3.6.1.5.5.7.3.1'), client: oid('1.3.6.1.5.5.7.3.2') }

/** The sides of a TLS connection that may use it. */
export const usedBy = (...sides: (keyof typeof PURPOSES)[]) =>
  extension('2.5.29.37', sequence(...sides.map(side => PURPOSES[side])))

export const notAnAuthority = () => extension('2.5.29.19', sequence(), true)
/** May sign server and client certificates, but not other authorities. */
export const isAuthority = () => extension('2.5.29.19', sequence(trueValue(), integer(0n)), true)

const dnsName = (name: string) => element(contextTag(2, 'bytes'), Buffer.from(name))
const ipAddress = (bytes: Uint8Array) => element(contextTag(7, 'bytes'), bytes)

/** The host names and the bytes of IP addresses of a server. */
export const alternativeNames = (names: (string | Uint8Array)[]) =>
  extension('2.5.29.17', sequence(...names.map(name => (typeof name === 'string' ? dnsName(name) : ipAddress(name)))))

/** Limits an authority to these hosts and their subdomains, without IP addresses. */
export function onlyFor(hosts: string[]): Buffer {
  const permitted = hosts.map(host => sequence(dnsName(host)))
  // Address and mask of zeros: all of IPv4, and all of IPv6.
  const excluded = [8, 32].map(length => sequence(ipAddress(new Uint8Array(length))))
  const value = sequence(
    element(contextTag(0, 'elements'), ...permitted),
    element(contextTag(1, 'elements'), ...excluded),
  )
  return extension('2.5.29.30', value, true)
}

/** A key identifier: the hash of the key's bits, without the count of unused bits. */
function keyId(key: Uint8Array): Buffer {
  const [, bits] = readInside(readElements(Buffer.from(key))[0], TAG.sequence)
  return createHash('sha1').update(contentOf(bits, TAG.bitString).subarray(1)).digest()
}

export const hasKey = (key: Uint8Array) => extension('2.5.29.14', octetString(keyId(key)))
export const signedWithKey = (key: Uint8Array) =>
  extension('2.5.29.35', sequence(element(contextTag(0, 'bytes'), keyId(key))))
