import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { DerError } from '../../basics/der.ts'
import type { ValueError } from '../../basics/problem.ts'
import { listed, PRIVATE_KEY_MARK, shorten } from '../../basics/problem.ts'
import { type Mismatch, type Shape, textShape } from '../../basics/shape.ts'
import { counted } from '../../basics/text.ts'
import { toPem } from '../../basics/x509.ts'
import { checkBytes } from '../../engine/language/field.ts'
import type { RuleContext } from '../../engine/language/resource.ts'
import { errors } from '../errors.ts'
import { issueForRequest } from './issue.ts'
import { type CertificateFacts, type PemBlock, readCertificate, readFacts, readPem } from './pem.ts'

/** The vendor's documented limit for uploads. */
export const MAX_PEM_BYTES = 16 * 1024

const CERTIFICATE = 'a certificate in PEM: lines from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----'
const PRIVATE_KEY = 'a private key in PEM: lines from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----'
const READABLE = 'an X.509 certificate with an RSA, ECDSA or Ed25519 key'
const REQUEST =
  'a signing request in PEM: lines from -----BEGIN CERTIFICATE REQUEST----- to -----END CERTIFICATE REQUEST-----'

/** Minimal examples for documentation: a server certificate and its unused key, and an authority. */
const example = (type: string, ...base64: string[]) => toPem(type, Buffer.from(base64.join(''), 'base64'))
const CERTIFICATE_EXAMPLE = example(
  'CERTIFICATE',
  'MIHWMIGJAgQKGyw9MAUGAytlcDAWMRQwEgYDVQQDDAtleGFtcGxlLmNvbTAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEwMDAwMDBaMBYxFDASBgNVBA',
  'MMC2V4YW1wbGUuY29tMCowBQYDK2VwAyEAziYbcgT+LdeqtubfdThev5BCYFBcK4KXNFI4BrHkRVYwBQYDK2VwA0EAcpspnIoVD5vLPsD5aMvFEmOb',
  'EBfAM407YTqZsOwfIR7BvM9zuwsUyqIetU06v4fUq7Icl4RgetHtMnJM0jujAw==',
)
const PRIVATE_KEY_EXAMPLE = example('PRIVATE KEY', 'MC4CAQAwBQYDK2VwBCIEIMBAEY+wAuePnFmK8YSfzwqPSyyDzEJXR77GAg6BxV0Y')
const AUTHORITY_EXAMPLE = example(
  'CERTIFICATE',
  'MIH8MIGvoAMCAQICBAobLD4wBQYDK2VwMBwxGjAYBgNVBAMMEUV4YW1wbGUgQXV0aG9yaXR5MB4XDTIwMDEwMTAwMDAwMFoXDTQ5MTIzMTAwMDAwMF',
  'owHDEaMBgGA1UEAwwRRXhhbXBsZSBBdXRob3JpdHkwKjAFBgMrZXADIQCbe1xUSgxgsVtubS3V1M/losA/KuCK39DnmLkM2QtewaMTMBEwDwYDVR0T',
  'AQH/BAUwAwEB/zAFBgMrZXADQQBqdPFzgQDUhjmRU8pDnrXb6HprtOAfCQJ2N7EEjZq4kIMX3AhbLbtLgsy0x7kpCNF3G3dHKi+OABwMbBlyYxAF',
)
const REQUEST_EXAMPLE = example(
  'CERTIFICATE REQUEST',
  'MIGSMEYCAQAwEzERMA8GA1UEAwwIb3BlcmF0b3IwKjAFBgMrZXADIQADD8oj0n3sFnE8jP+2lSQz3FzouUUS5k92OzGzuiykbKAAMAUGAytlcANBAE',
  'k00X6r17Rd2QOkKqUhEf3YGDUdDrsHLKzCA8XBkyA/t6ZSb4YDdyn0+G7d/4KoognXc+A5GU8zBozHBcbUBgc=',
)

/** The input may be or contain a private key. So messages contain only its size. */
const sizeOf = (text: string) =>
  text === '' ? 'an empty string' : `a string of ${counted(Buffer.byteLength(text), 'byte')}`

const isKey = ({ type }: PemBlock) => type.endsWith('PRIVATE KEY')
/** Responses show certificates. A key next to one would also be shown, even a truncated one. */
const hasKey = (text: string) => text.includes(PRIVATE_KEY_MARK)
const WITH_KEY = 'a string with a private key'
const isCertificate = ({ type }: PemBlock) => type === 'CERTIFICATE'

/** A PEM string. Messages about its problems never quote it. */
const pemShape = (
  shown: string,
  tooLong: ValueError | undefined,
  check: (blocks: PemBlock[], text: string) => Mismatch | undefined,
): Shape<string> =>
  textShape({ examples: [shown], maxLength: MAX_PEM_BYTES, 'x-max-bytes': MAX_PEM_BYTES, 'x-lines': true }, text => {
    const mismatch = checkBytes(text, MAX_PEM_BYTES, tooLong) ?? check(readPem(text), text)
    return mismatch && { received: sizeOf(text), ...mismatch }
  })

/** A server certificate, and the certificates between it and a root. */
export const certificatePem = pemShape(CERTIFICATE_EXAMPLE, errors.certificate_too_long, (blocks, text) => {
  if (hasKey(text)) return { error: errors.certificate_is_key, expected: CERTIFICATE, received: WITH_KEY }
  const certificates = blocks.filter(isCertificate)
  if (certificates.length === 0) return { error: errors.certificate_missing, expected: CERTIFICATE }
  return checkReadable(certificates) ?? checkOrder(certificates)
})

/** A CA certificate, which signs client certificates. */
export const authorityPem = pemShape(AUTHORITY_EXAMPLE, errors.certificate_too_long, (blocks, text) => {
  if (text === '') return { error: errors.authority_missing, expected: CERTIFICATE }
  if (blocks.length === 0) return { error: errors.authority_not_pem, expected: CERTIFICATE }
  const other = blocks.find(block => !isCertificate(block))
  if (other) return { error: errors.pem_of_other_type, expected: CERTIFICATE, received: `PEM of type ${other.type}` }
  if (hasKey(text)) return { error: errors.pem_of_other_type, expected: CERTIFICATE, received: WITH_KEY }
  const problem = checkReadable(blocks)
  if (problem) return problem
  const facts = blocks.map(({ der }) => readFacts(der))
  if (facts.length > 1)
    return {
      error: errors.several_authorities,
      expected: 'a single certificate',
      received: `${facts.length} certificates: ${listed(facts, nameOf)}`,
    }
  if (facts[0]!.is_authority) return undefined
  return {
    error: errors.not_an_authority,
    expected: 'a CA certificate',
    received: `the certificate ${nameOf(facts[0]!)}`,
  }
})

const nameOf = (facts: CertificateFacts) => JSON.stringify(shorten(facts.subject_common_name, 60))

/** Checks that edgesim can read the certificates, because response fields come from them. See also `checkAccepted`. */
function checkReadable(blocks: PemBlock[]): Mismatch | undefined {
  for (const { headers, der } of blocks) {
    if (headers.length > 0)
      return { error: errors.pem_headers, expected: 'PEM without headers', received: counted(headers.length, 'header') }
    try {
      readFacts(der)
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      const received = `an unreadable certificate (${error.message})`
      return { error: errors.certificate_unreadable, expected: READABLE, received }
    }
  }
  return undefined
}

/** Fails unless OpenSSL, which checks keys and signatures, accepts every certificate of a request. */
export function checkAccepted(field: string, pem: string, fail: RuleContext['fail']) {
  try {
    for (const { der } of readPem(pem)) new X509Certificate(der).publicKey
  } catch {
    fail(errors.certificate_unreadable, { field, expected: READABLE, received: 'a certificate that OpenSSL rejects' })
  }
}

/** Each certificate must be signed by the next one. */
function checkOrder(blocks: PemBlock[]): Mismatch | undefined {
  if (blocks.length === 1) return undefined
  const wrong = blocks.findIndex((each, i) => i + 1 < blocks.length && !isSignedBy(each, blocks[i + 1]!))
  if (wrong === -1) return undefined
  const names = blocks.map(({ der }) => nameOf(readFacts(der)))
  return {
    error: errors.bundle_order,
    expected: 'a list in which each certificate is signed by the next one',
    received: `${listed(names, name => name)}, where ${names[wrong]} is not signed by ${names[wrong + 1]}`,
  }
}

function isSignedBy(certificate: PemBlock, issuer: PemBlock): boolean {
  try {
    return new X509Certificate(certificate.der).verify(new X509Certificate(issuer.der).publicKey)
  } catch {
    return false
  }
}

export const privateKeyPem = pemShape(PRIVATE_KEY_EXAMPLE, undefined, blocks => {
  const block = blocks.find(isKey)
  if (!block && blocks.some(isCertificate))
    return { error: errors.key_is_certificate, expected: PRIVATE_KEY, received: 'a certificate' }
  if (!block) return { error: errors.private_key_missing, expected: PRIVATE_KEY }
  if (block.type === 'ENCRYPTED PRIVATE KEY' || block.headers.some(header => header.includes('ENCRYPTED')))
    return { error: errors.private_key_encrypted, expected: PRIVATE_KEY }
  if (readKey(block)) return undefined
  return { error: errors.private_key_unreadable, expected: 'an RSA, ECDSA or Ed25519 key in PKCS #8, PKCS #1 or SEC 1' }
})

/** A certificate signing request, signed with the key that it is for. */
export const requestPem = pemShape(REQUEST_EXAMPLE, undefined, (blocks, text) => {
  if (hasKey(text)) return { error: errors.bad_signing_request, expected: REQUEST, received: WITH_KEY }
  const [block] = blocks
  if (block?.type === 'CERTIFICATE REQUEST' && canBeIssued(text)) return undefined
  return { error: errors.bad_signing_request, expected: REQUEST }
})

/** Whether a certificate can be issued for it and read again. */
function canBeIssued(request: string): boolean {
  try {
    const pem = issueForRequest(request, { id: '', at: '2026-01-01T00:00:00Z' })
    return readCertificate(pem) && new X509Certificate(pem).publicKey.type === 'public'
  } catch {
    return false
  }
}

const KEY_FORMATS: Record<string, 'pkcs8' | 'pkcs1' | 'sec1'> = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
}

function readKey({ type, der }: PemBlock): KeyObject | undefined {
  const format = KEY_FORMATS[type]
  if (!format) return undefined
  try {
    const key = createPrivateKey({ key: der, format: 'der', type: format })
    return ['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType!) ? key : undefined
  } catch {
    return undefined
  }
}

/** Whether a valid certificate and a valid private key belong together. If not, the error is key_of_another. */
export function isPair(certificate: string, privateKey: string): boolean {
  const key = readKey(readPem(privateKey).find(isKey)!)
  return key !== undefined && new X509Certificate(readPem(certificate).find(isCertificate)!.der).checkPrivateKey(key)
}
