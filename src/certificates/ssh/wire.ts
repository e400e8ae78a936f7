import { toBytes } from '../der.ts'

/** The encoding of SSH (RFC 4251, 5): numbers, and strings of bytes behind their length. */

/** The bytes are not what they should be. */
export class WireError extends Error {}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

export function string(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([uint32(bytes.length), bytes])
}

export const strings = (...values: (string | Uint8Array)[]) => Buffer.concat(values.map(string))

/** A number that is not negative: a byte before it says so where its first bit is set. */
export function mpint(value: bigint): Buffer {
  const bytes = toBytes(value)
  return string(bytes[0]! & 0x80 ? Buffer.concat([Uint8Array.of(0), bytes]) : bytes)
}

/** A list of names with values, in the order of the names. A value is a string in a string, unless it is empty. */
export const options = (values: Record<string, string>) =>
  strings(
    ...Object.keys(values)
      .sort()
      .flatMap(name => [name, values[name] ? string(values[name]) : '']),
  )

/** The strings that the bytes consist of. */
export function readStrings(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 > bytes.length ? Number.POSITIVE_INFINITY : at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new WireError('it is cut off')
    found.push(bytes.subarray(at + 4, end))
    at = end
  }
  return found
}

export const toNumber = (bytes: Buffer) => BigInt(`0x0${bytes.toString('hex')}`)

/** A key as a line of text. Its first string is its type. */
export const textOf = (key: Buffer) => `${readStrings(key)[0]} ${key.toString('base64')}`
