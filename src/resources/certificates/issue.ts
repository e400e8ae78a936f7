import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  contextTag,
  element,
  integer,
  octetString,
  oid,
  sequence,
  set,
  time,
  trueValue,
  utf8,
} from '../../basics/der.ts'
import { parseTime } from '../../schema/time.ts'
import { toPem } from './pem.ts'

export interface Issued {
  domain: string
  private_key_type: 'rsa' | 'ecdsa'
  not_before: string
  not_after: string
  /** The common name of the authority. */
  issuer: string
  /** In hexadecimal, as certificates are read. */
  serial: string
}

const ED25519 = sequence(oid('1.3.101.112'))

/**
 * A certificate for a domain, as an authority would issue it: the same for the same values. No client trusts it, and
 * its private key is not kept: no answer shows it.
 */
export function issueCertificate(issued: Issued): { certificate_pem: string } {
  const { domain, private_key_type: keyType, issuer, serial } = issued
  // An RSA key also encrypts the secret of old handshakes.
  const usages = keyType === 'rsa' ? bitString(Uint8Array.of(0xa0), 5) : bitString(Uint8Array.of(0x80), 7)
  const signed = sequence(
    element(contextTag(0, 'elements'), integer(2n)),
    integer(BigInt(`0x${serial}`)),
    ED25519,
    commonName(issuer),
    sequence(time(parseTime(issued.not_before)!), time(parseTime(issued.not_after)!)),
    commonName(domain),
    keyType === 'rsa' ? RSA_PUBLIC_KEY : ecdsaPublicKey(`${domain} ${serial}`),
    element(
      contextTag(3, 'elements'),
      sequence(
        extension('2.5.29.15', usages, 'critical'),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'))),
        extension('2.5.29.19', sequence(), 'critical'),
        extension('2.5.29.17', sequence(element(contextTag(2, 'bytes'), Buffer.from(domain)))),
      ),
    ),
  )
  const signature = bitString(sign(null, signed, authorityKey(issuer)))
  return { certificate_pem: toPem('CERTIFICATE', sequence(signed, ED25519, signature)) }
}

const commonName = (name: string) => sequence(set(sequence(oid('2.5.4.3'), utf8(name))))

const extension = (id: string, value: Uint8Array, critical?: 'critical') =>
  critical ? sequence(oid(id), trueValue(), octetString(value)) : sequence(oid(id), octetString(value))

const seedOf = (text: string) => createHash('sha256').update(text).digest()

/** The key of an authority follows from its name: there is nothing to keep, and nothing to guard. */
const authorityKey = (name: string): KeyObject =>
  createPrivateKey({
    key: sequence(integer(0n), ED25519, octetString(octetString(seedOf(`authority ${name}`)))),
    format: 'der',
    type: 'pkcs8',
  })

function ecdsaPublicKey(seed: string): Buffer {
  const pair = createECDH('prime256v1')
  const key = seedOf(`key ${seed}`)
  // A key must be below the order of the curve, which begins with a bit that is set.
  key[0]! &= 0x7f
  pair.setPrivateKey(key)
  return sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')), bitString(pair.getPublicKey()))
}

/** The public half of a key of 2048 bits; nobody has the other. Making one takes up to a second, in which all wait. */
const RSA_PUBLIC_KEY = Buffer.from(
  [
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqvKP+87WL4qZ4tAbfc84RmIggB0QAwhRpjGfD6DNx4iDdM7515qsc85Tlrbwy4CMncxx',
    'Vg89+ZnfEJn0EjCsak1CQNWR7VARrV9vrMhLMPNlZRVi5BbCHSJdSIcNGXm56PZb99SXVL8TZ+Vjsa8vtqWCXlZ4l7Yk4CE9udP3xdNc37JWTayb',
    'CKubqTnJZJBcmlhgjePr5jzvUTi78M3QIsEJpC4bVxpyl2FHixTodI0kvGl/H8GIfnKgwyrymbBeT7KdYeuUp1m8Metrgxcpu+py+KscJ6Z8+wD8',
    'llKJ2hrfV7XzYhX4S55SO0jX0SCCeQ+KycYJMDXrmboujYp0CQIDAQAB',
  ].join(''),
  'base64',
)
