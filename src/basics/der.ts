/**
 * DER, the encoding of certificates: elements with a tag, a length and content. node:crypto reads only whole
 * certificates, exposes few of their fields, and cannot write them.
 */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  teletex: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag of element n, where the standard numbers elements instead of naming their types. */
export const contextTag = (n: number, holds: 'bytes' | 'elements') => (holds === 'elements' ? 0xa0 : 0x80) + n

/** Invalid bytes. The message contains none of them, because they may be a secret. */
export class DerError extends Error {}

export interface Element {
  tag: number
  content: Buffer
}

/** The top-level elements in the bytes. */
export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]!
    if ((tag & 0x1f) === 0x1f) throw new DerError('an element has a multi-byte tag')
    const [length, start] = readLength(bytes, at + 1)
    if (length > bytes.length - start) throw new DerError('an element is longer than its container')
    elements.push({ tag, content: bytes.subarray(start, start + length) })
    at = start + length
  }
  return elements
}

/** A length, and where the content starts. From 128 on, the first byte is the number of length bytes. */
function readLength(bytes: Buffer, at: number): [length: number, start: number] {
  const first = bytes[at]
  if (first === undefined) throw new DerError('an element ends before its length')
  if (first < 0x80) return [first, at + 1]
  const count = first & 0x7f
  if (count === 0 || count > 4) throw new DerError('an element has an unsupported length format')
  if (count > bytes.length - at - 1) throw new DerError('an element ends within its length')
  return [bytes.readUIntBE(at + 1, count), at + 1 + count]
}

/** The elements inside an element, which must have this tag. */
export const readInside = (element: Element | undefined, tag: number) => readElements(contentOf(element, tag))

export function contentOf(element: Element | undefined, tag: number): Buffer {
  if (element?.tag === tag) return element.content
  throw new DerError(`an element must have tag ${tag}, got ${element?.tag ?? 'none'}`)
}

/** More bytes than any number in an object identifier has: a UUID takes 19. */
const MAX_ARC_BYTES = 20

/** `2.5.29.15`: seven bits per byte. The eighth bit marks that the number continues. */
export function readOid(element: Element | undefined): string {
  const content = contentOf(element, TAG.oid)
  const arcs: bigint[] = []
  let [arc, length] = [0n, 0]
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    if (++length > MAX_ARC_BYTES) throw new DerError('an object identifier has a number that is too large')
    if (byte & 0x80) continue
    arcs.push(arc)
    arc = 0n
    length = 0
  }
  if (arcs.length === 0 || length > 0) throw new DerError('an object identifier is incomplete')
  // The first two numbers share one: the first is 0, 1 or 2, and the second is below 40 unless the first is 2.
  const first = arcs[0]! < 80n ? arcs[0]! / 40n : 2n
  return [first, arcs[0]! - first * 40n, ...arcs.slice(1)].join('.')
}

/** An element with this tag. Its parts are bytes or elements. */
export function element(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 0x80) return Buffer.concat([Uint8Array.of(tag, content.length), content])
  const length = toBytes(BigInt(content.length))
  return Buffer.concat([Uint8Array.of(tag, 0x80 + length.length), length, content])
}

/** A non-negative number in `size` bytes, or in as few as it needs. */
export function toBytes(number: bigint, size = 0): Buffer {
  const digits = number.toString(16)
  return Buffer.from(digits.padStart(Math.max(size * 2, digits.length + (digits.length % 2)), '0'), 'hex')
}

export const sequence = (...parts: Uint8Array[]) => element(TAG.sequence, ...parts)
export const set = (...parts: Uint8Array[]) => element(TAG.set, ...parts)
export const octetString = (bytes: Uint8Array) => element(TAG.octetString, bytes)
export const utf8 = (text: string) => element(TAG.utf8, Buffer.from(text))
export const trueValue = () => element(TAG.boolean, Uint8Array.of(0xff))

/** A non-negative number. A leading 1 bit would make it negative. */
export function integer(number: bigint): Buffer {
  const bytes = toBytes(number)
  return bytes[0]! & 0x80 ? element(TAG.integer, Uint8Array.of(0), bytes) : element(TAG.integer, bytes)
}

/** Bits, starting with the highest bit of the first byte. The last byte may have unused bits. */
export const bitString = (bytes: Uint8Array, unused = 0) => element(TAG.bitString, Uint8Array.of(unused), bytes)

export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(BigInt) as [bigint, bigint, ...bigint[]]
  return element(TAG.oid, Uint8Array.from([first * 40n + second, ...rest].flatMap(arcBytes)))
}

function arcBytes(arc: bigint): number[] {
  const bytes = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  return bytes
}

/** A time in whole seconds. The standard requires two-digit years from 1950 to 2049. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, '')}Z`
  const short = digits >= '1950' && digits < '2050'
  return short ? element(TAG.utcTime, Buffer.from(digits.slice(2))) : element(TAG.generalTime, Buffer.from(digits))
}
