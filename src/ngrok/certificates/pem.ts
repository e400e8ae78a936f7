import { isUtf8 } from 'node:buffer'
import { normaliseAddress } from '../../basics/cidr.ts'
import {
  contentOf,
  contextTag,
  DerError,
  type Element,
  readElements,
  readInside,
  readOid,
  TAG,
} from '../../basics/der.ts'
import { memoize } from '../../basics/memoize.ts'
import { formatTime, parseTime } from '../../engine/language/time.ts'

/** The content between a line `-----BEGIN type-----` and its end. */
export interface PemBlock {
  type: string
  /** Lines like `Proc-Type: 4,ENCRYPTED`. */
  headers: string[]
  der: Buffer
}

/** The complete blocks in a string. Text around them is ignored, because many tools write remarks there. */
export function readPem(text: string): PemBlock[] {
  const blocks: PemBlock[] = []
  let open: { type: string; lines: string[] } | undefined
  for (const line of text.split(/\r?\n/).map(each => each.trimEnd())) {
    const [, edge, type] = /^-----(BEGIN|END) ([A-Z0-9 ]{1,60})-----$/.exec(line) ?? []
    if (edge === 'BEGIN') open = { type: type!, lines: [] }
    else if (edge !== 'END') open?.lines.push(line)
    else {
      const headers = open?.lines.filter(each => each.includes(':')) ?? []
      const base64 = open?.lines.filter(each => !each.includes(':')).join('') ?? ''
      if (open?.type === type && /^[A-Za-z0-9+/]+={0,2}$/.test(base64))
        blocks.push({ type: type!, headers, der: Buffer.from(base64, 'base64') })
      open = undefined
    }
  }
  return blocks
}

/** The facts about a certificate that responses contain. Missing strings and lists are empty. */
export interface CertificateFacts {
  readonly subject_common_name: string
  readonly subject_organization: string
  readonly subject_organizational_unit: string
  readonly subject_locality: string
  readonly subject_province: string
  readonly subject_country: string
  readonly issuer_common_name: string
  /** In hexadecimal. */
  readonly serial_number: string
  readonly not_before: string
  readonly not_after: string
  readonly key_usages: readonly string[]
  readonly extended_key_usages: readonly string[]
  readonly private_key_type: KeyType
  readonly subject_alternative_names: { readonly dns_names: readonly string[]; readonly ips: readonly string[] }
  readonly is_authority: boolean
}

export type KeyType = 'rsa' | 'ecdsa' | 'ed25519'

/** Limit the number of cached certificates. */
const MAX_REMEMBERED_CERTIFICATES = 1000

/** The facts about the first certificate in a PEM chain. Throws a DerError if it is unreadable. */
export const readCertificate = memoize(MAX_REMEMBERED_CERTIFICATES, (pem: string): CertificateFacts => {
  const leaf = readPem(pem).find(({ type }) => type === 'CERTIFICATE')
  if (!leaf) throw new DerError('no certificate')
  return readFacts(leaf.der)
})

const KEY_TYPES: Record<string, KeyType> = {
  '1.2.840.113549.1.1.1': 'rsa',
  '1.2.840.10045.2.1': 'ecdsa',
  '1.3.101.112': 'ed25519',
}

/** The facts about a certificate in DER (RFC 5280, 4.1). */
export function readFacts(der: Buffer): CertificateFacts {
  const [whole, ...after] = readElements(der)
  if (after.length > 0) throw new DerError('bytes follow the certificate')
  const fields = readInside(readInside(whole, TAG.sequence)[0], TAG.sequence)
  if (fields[0]?.tag === contextTag(0, 'elements')) fields.shift()
  const [serial, , issuer, validity, subject, key, ...rest] = fields
  const [notBefore, notAfter] = readInside(validity, TAG.sequence)
  const names = readName(subject)
  const extensions = readExtensions(rest.find(({ tag }) => tag === contextTag(3, 'elements')))
  const algorithm = readOid(readInside(readInside(key, TAG.sequence)[0], TAG.sequence)[0])
  const keyType = KEY_TYPES[algorithm]
  if (!keyType) throw new DerError(`unsupported key algorithm ${algorithm}`)
  return Object.freeze({
    subject_common_name: names.get('2.5.4.3') ?? '',
    subject_organization: names.get('2.5.4.10') ?? '',
    subject_organizational_unit: names.get('2.5.4.11') ?? '',
    subject_locality: names.get('2.5.4.7') ?? '',
    subject_province: names.get('2.5.4.8') ?? '',
    subject_country: names.get('2.5.4.6') ?? '',
    issuer_common_name: readName(issuer).get('2.5.4.3') ?? '',
    serial_number: contentOf(serial, TAG.integer)
      .toString('hex')
      .replace(/^(00)+(?=..)/, ''),
    not_before: readTime(notBefore),
    not_after: readTime(notAfter),
    key_usages: Object.freeze(readKeyUsages(extensions.get('2.5.29.15'))),
    extended_key_usages: Object.freeze(readExtendedKeyUsages(extensions.get('2.5.29.37'))),
    private_key_type: keyType,
    subject_alternative_names: Object.freeze(readAlternativeNames(extensions.get('2.5.29.17'))),
    is_authority: readIsAuthority(extensions.get('2.5.29.19')),
  })
}

/** The parts of a name, by the object identifiers of their kinds. The last part of each kind wins. */
function readName(name: Element | undefined): Map<string, string> {
  const parts = readInside(name, TAG.sequence).flatMap(each => readInside(each, TAG.set))
  return new Map(
    parts.map(part => {
      const [kind, value] = readInside(part, TAG.sequence)
      return [readOid(kind), readText(value)]
    }),
  )
}

function readText(element: Element | undefined): string {
  switch (element?.tag) {
    case TAG.utf8:
      if (!isUtf8(element.content)) throw new DerError('a string has invalid Unicode')
      return element.content.toString()
    case TAG.bmp:
      return readBmp(element.content)
    case TAG.printable:
    case TAG.ia5:
      return readAscii(element.content)
    case TAG.teletex:
      return element.content.toString('latin1')
    default:
      throw new DerError(`a string has an unsupported tag: ${element?.tag ?? 'none'}`)
  }
}

/** Big-endian UTF-16. */
function readBmp(bytes: Buffer): string {
  const text = bytes.length % 2 === 0 ? Buffer.from(bytes).swap16().toString('utf16le') : ''
  if (bytes.length % 2 > 0 || /\p{Surrogate}/u.test(text)) throw new DerError('a string has invalid Unicode')
  return text
}

function readAscii(bytes: Buffer): string {
  if (bytes.some(byte => byte > 0x7f)) throw new DerError('a string has non-ASCII bytes')
  return bytes.toString('latin1')
}

/** `261231235959Z` or `20501231235959Z`. Two digits mean the years from 1950 to 2049. */
function readTime(element: Element | undefined): string {
  const short = element?.tag === TAG.utcTime
  const digits = readAscii(contentOf(element, short ? TAG.utcTime : TAG.generalTime))
  const whole = short ? `${digits < '50' ? 20 : 19}${digits}` : digits
  const [, date, hour] = /^(\d{8})(\d{6})Z$/.exec(whole) ?? []
  const ms = date && parseTime(`${date.replace(/(..)(..)$/, '-$1-$2')}T${hour!.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`)
  if (typeof ms !== 'number') throw new DerError('a time is not a valid UTC time in whole seconds')
  return formatTime(ms)
}

/** The contents of the extensions, by object identifier. Skips the optional critical flag. */
function readExtensions(list: Element | undefined): Map<string, Buffer> {
  if (!list) return new Map()
  const extensions = readInside(readElements(list.content)[0], TAG.sequence)
  return new Map(
    extensions.map(extension => {
      const parts = readInside(extension, TAG.sequence)
      return [readOid(parts[0]), contentOf(parts.at(-1), TAG.octetString)]
    }),
  )
}

/** In bit order. */
const KEY_USAGES = [
  'digitalSignature',
  'contentCommitment',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'certSign',
  'crlSign',
  'encipherOnly',
  'decipherOnly',
]

function readKeyUsages(extension: Buffer | undefined): string[] {
  if (!extension) return []
  const [, ...bytes] = contentOf(readElements(extension)[0], TAG.bitString)
  return KEY_USAGES.filter((_, bit) => (bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7)))
}

const EXTENDED_KEY_USAGES: Record<string, string> = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'ocspSigning',
}

function readExtendedKeyUsages(extension: Buffer | undefined): string[] {
  if (!extension) return []
  const usages = readInside(readElements(extension)[0], TAG.sequence).map(readOid)
  return usages.map(usage => EXTENDED_KEY_USAGES[usage] ?? usage)
}

/** Responses have no place for other kinds of names, such as mail addresses. */
function readAlternativeNames(extension: Buffer | undefined) {
  const names = extension ? readInside(readElements(extension)[0], TAG.sequence) : []
  const ofKind = (n: number) => names.filter(({ tag }) => tag === contextTag(n, 'bytes')).map(({ content }) => content)
  return { dns_names: Object.freeze(ofKind(2).map(readAscii)), ips: Object.freeze(ofKind(7).map(readAddress)) }
}

function readAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) throw new DerError(`an IP address has ${bytes.length} bytes`)
  return normaliseAddress(bytes.toString('hex').replace(/....(?=.)/g, '$&:'))
}

function readIsAuthority(extension: Buffer | undefined): boolean {
  if (!extension) return false
  const [first] = readInside(readElements(extension)[0], TAG.sequence)
  return first?.tag === TAG.boolean && first.content[0] !== 0 && first.content.length === 1
}
