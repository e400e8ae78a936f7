import { toBytes } from '../../../basics/der.ts'

/** SSH wire format (RFC 4251, 5): numbers, and byte strings with a length prefix. */

/** Invalid bytes. */
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
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

export const strings = (...values: (string | Uint8Array)[]) => Buffer.concat(values.map(string))

/** A non-negative number, with a zero byte in front if its first bit is 1. */
export function mpint(value: bigint): Buffer {
  const bytes = toBytes(value)
  return string(bytes[0]! & 0x80 ? Buffer.concat([Uint8Array.of(0), bytes]) : bytes)
}

/** A list of names and values, sorted by name. A value is a string in a string, unless it is empty. */
export const options = (values: Record<string, string>) =>
  strings(
    ...Object.keys(values)
      .sort()
      .flatMap(name => [name, values[name] ? string(values[name]) : '']),
  )

/** Splits the bytes into strings. */
export function readStrings(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 > bytes.length ? Number.POSITIVE_INFINITY : at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new WireError('the key is incomplete')
    found.push(bytes.subarray(at + 4, end))
    at = end
  }
  return found
}

export const toNumber = (bytes: Buffer) => BigInt(`0x0${bytes.toString('hex')}`)

/** A key as a line. Its first string is its type. */
export const textOf = (key: Buffer) => `${readStrings(key)[0]} ${key.toString('base64')}`
