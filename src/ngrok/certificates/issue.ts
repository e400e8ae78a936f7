import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import {
  bitString,
  contentOf,
  integer,
  octetString,
  oid,
  readElements,
  readInside,
  sequence,
  TAG,
} from '../../basics/der.ts'
import {
  alternativeNames,
  type Contents,
  commonName,
  keyUsage,
  notAnAuthority,
  publicKeyOf,
  usedBy,
  writeCertificate,
} from '../../basics/x509.ts'
import { parseTime } from '../../engine/language/time.ts'
import { readPem } from './pem.ts'

export interface Issued {
  domain: string
  private_key_type: 'rsa' | 'ecdsa'
  not_before: string
  not_after: string
  /** The issuer's common name. */
  issuer: string
  /** In hexadecimal. */
  serial: string
}

const ED25519 = sequence(oid('1.3.101.112'))

/**
 * A certificate for a domain, as an authority would issue it. Equal values give equal certificates. No client trusts
 * it. Its private key is not stored, because responses do not contain it.
 */
export function issueCertificate(issued: Issued): { certificate_pem: string } {
  const { domain, private_key_type: keyType, issuer, serial } = issued
  const certificate_pem = signedBy(issuer, {
    serial: BigInt(`0x${serial}`),
    from: parseTime(issued.not_before)!,
    to: parseTime(issued.not_after)!,
    subject: commonName(domain),
    key: keyType === 'rsa' ? RSA_PUBLIC_KEY : ecdsaPublicKey(`${domain} ${serial}`),
    extensions: [
      // An RSA key also encrypts the secret in old handshakes.
      keyType === 'rsa' ? keyUsage('signature', 'keyEncipherment') : keyUsage('signature'),
      usedBy('server', 'client'),
      notAnAuthority(),
      alternativeNames([domain]),
    ],
  })
  return { certificate_pem }
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
/** The latest time that a certificate can contain. */
const LAST_TIME = parseTime('9999-12-31T23:59:59Z')!

/**
 * A client certificate for the name and key of a signing request, valid for a year. Equal values give equal
 * certificates. Throws a DerError if the name or key is missing.
 */
export function issueForRequest(request: string, { id, at }: { id: string; at: string }): string {
  // The name and the public key (RFC 2986, 4.1).
  const [whole] = readElements(readPem(request)[0]!.der)
  const [, subject, key] = readInside(readInside(whole, TAG.sequence)[0], TAG.sequence)
  const from = parseTime(at)!
  return signedBy('Edgesim Operators', {
    serial: BigInt(`0x01${seedOf(`${id} ${at} ${request}`).toString('hex', 0, 15)}`),
    from,
    to: Math.min(from + YEAR_MS, LAST_TIME),
    subject: sequence(contentOf(subject, TAG.sequence)),
    key: sequence(contentOf(key, TAG.sequence)),
    extensions: [usedBy('client'), notAnAuthority()],
  })
}

/** A self-signed certificate, valid for 35 years. Equal values give equal certificates. */
export function issueForItself(name: string, at: string): string {
  const from = parseTime(at)!
  return signedBy(name, {
    serial: BigInt(`0x01${seedOf(`${name} ${at}`).toString('hex', 0, 15)}`),
    from,
    to: Math.min(from + 35 * YEAR_MS, LAST_TIME),
    subject: commonName(name),
    key: publicKeyOf(authorityKey(name)),
    extensions: [keyUsage('signature'), usedBy('server'), notAnAuthority()],
  })
}

const signedBy = (issuer: string, contents: Omit<Contents, 'issuer'>) =>
  writeCertificate({ ...contents, issuer: commonName(issuer) }, authorityKey(issuer))

const seedOf = (text: string) => createHash('sha256').update(text).digest()

/** Derives the authority's key from its name, so no key has to be stored or protected. */
const authorityKey = (name: string): KeyObject => ed25519Key(seedOf(`authority ${name}`))

/** The key with these 32 bytes. */
export const ed25519Key = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: sequence(integer(0n), ED25519, octetString(octetString(seed))),
    format: 'der',
    type: 'pkcs8',
  })

function ecdsaPublicKey(seed: string): Buffer {
  const pair = createECDH('prime256v1')
  const key = seedOf(`key ${seed}`)
  // A key must be below the curve's order, which starts with a 1 bit.
  key[0]! &= 0x7f
  pair.setPrivateKey(key)
  return sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')), bitString(pair.getPublicKey()))
}

/** The public half of a 2048-bit key. The private half is unknown. Generating one takes up to a second and blocks. */
const RSA_PUBLIC_KEY = Buffer.from(
  [
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqvKP+87WL4qZ4tAbfc84RmIggB0QAwhRpjGfD6DNx4iDdM7515qsc85Tlrbwy4CMncxx',
    'Vg89+ZnfEJn0EjCsak1CQNWR7VARrV9vrMhLMPNlZRVi5BbCHSJdSIcNGXm56PZb99SXVL8TZ+Vjsa8vtqWCXlZ4l7Yk4CE9udP3xdNc37JWTayb',
    'CKubqTnJZJBcmlhgjePr5jzvUTi78M3QIsEJpC4bVxpyl2FHixTodI0kvGl/H8GIfnKgwyrymbBeT7KdYeuUp1m8Metrgxcpu+py+KscJ6Z8+wD8',
    'llKJ2hrfV7XzYhX4S55SO0jX0SCCeQ+KycYJMDXrmboujYp0CQIDAQAB',
  ].join(''),
  'base64',
)
