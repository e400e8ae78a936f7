import { isIPv4 } from 'node:net'

/**
 * The canonical spelling of an IPv6 address; undefined if the string is not one. `URL` is faster than `SocketAddress`,
 * and avoids the pattern of `net.isIPv6`, which takes longer to compile than anything else at startup.
 */
function canonicalIPv6(text: string): string | undefined {
  const url = `http://[${text}]`
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined
}

/** Converts v4-mapped IPv6 addresses to IPv4 and drops zones. */
export function normaliseAddress(address: string): string {
  // The fast path: addresses of most clients, as sockets spell them.
  if (!address.includes(':') || address === '::1') return address
  if (address.startsWith('::ffff:') && isIPv4(address.slice(7))) return address.slice(7)
  const bare = address.split('%', 1)[0]!
  const canonical = canonicalIPv6(bare) ?? bare
  const [, ...mapped] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical) ?? []
  if (mapped.length === 0) return canonical
  const [high, low] = mapped.map(group => Number.parseInt(group, 16)) as [number, number]
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

export function isLoopback(address: string): boolean {
  const plain = normaliseAddress(address)
  return plain === '::1' || /^127\.\d+\.\d+\.\d+$/.test(plain)
}

/** Whether a host from an option or URL is this machine. */
export const isLocalHost = (host: string) => host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))

const toBits = (numbers: readonly string[], radix: number, length: number) =>
  numbers.map(number => Number.parseInt(number, radix).toString(2).padStart(length, '0')).join('')

/** The family (4 or 6) and the bits of an address; undefined if the string is not one. */
function bitsOf(address: string): string | undefined {
  if (isIPv4(address)) return 4 + toBits(address.split('.'), 10, 8)
  const halves = canonicalIPv6(address)?.split('::')
  if (!halves) return undefined
  const [head, tail = []] = halves.map(half => half.split(':').filter(Boolean)) as [string[], string[]?]
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  return 6 + toBits([...head, ...zeros, ...tail], 16, 16)
}

/** The four or sixteen bytes of an address. */
export const bytesOf = (address: string) =>
  Uint8Array.from(bitsOf(address)!.slice(1).match(/.{8}/g)!, byte => Number.parseInt(byte, 2))

/** The family and prefix bits of a CIDR block; undefined if the string is not one. B is in A if B starts with A. */
export function prefixOf(text: string): string | undefined {
  const [, address, bits] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const all = address === undefined ? undefined : bitsOf(address)
  if (all === undefined || Number(bits) >= all.length) return undefined
  return unmap(all.slice(0, Number(bits) + 1))
}

/** The CIDR block of a single address; undefined if the string is not one. */
export function blockOf(address: string): string | undefined {
  const bits = bitsOf(address)
  return bits && `${address}/${bits.length - 1}`
}

/** A CIDR block with all bits after the prefix cleared. */
export function lowestOf(cidr: string): string {
  const [address, length] = cidr.split('/') as [string, string]
  const bits = bitsOf(address)!
  const prefix = bits.slice(0, Number(length) + 1)
  if (!bits.includes('1', prefix.length)) return cidr
  const [groupBits, radix, dot] = bits[0] === '4' ? [8, 10, '.'] : [16, 16, ':']
  const groups = prefix
    .padEnd(bits.length, '0')
    .slice(1)
    .match(new RegExp(`.{${groupBits}}`, 'g'))!
  const lowest = groups.map(group => Number.parseInt(group, 2).toString(radix)).join(dot)
  return `${canonicalIPv6(lowest) ?? lowest}/${length}`
}

/** The family and prefix bits of v4-mapped IPv6 addresses. */
const MAPPED = bitsOf('::ffff:0:0')!.slice(0, 1 + 96)

/** ::ffff:10.0.0.0/104 is 10.0.0.0/8. A shorter mapped prefix covers more than IPv4 and remains IPv6. */
const unmap = (bits: string) => (bits.startsWith(MAPPED) ? 4 + bits.slice(MAPPED.length) : bits)

/** Values by CIDR block. The cost of a lookup depends on the number of prefix lengths, not of blocks. */
export class CidrMap<T> {
  readonly #values: readonly T[]
  /** The index of the first value, by prefix. */
  readonly #first = new Map<string, number>()
  readonly #lengths: ReadonlySet<number>

  constructor(entries: readonly (readonly [cidr: string, value: T])[]) {
    this.#values = entries.map(([, value]) => value)
    entries.forEach(([cidr], i) => {
      const prefix = prefixOf(cidr)
      if (prefix === undefined) throw new Error(`${JSON.stringify(cidr)} is not a CIDR block`)
      if (!this.#first.has(prefix)) this.#first.set(prefix, i)
    })
    this.#lengths = new Set(Array.from(this.#first.keys(), ({ length }) => length))
  }

  /** The value of the first block that contains the address. */
  get(address: string): T | undefined {
    const bits = this.#first.size > 0 ? bitsOf(address.split('%', 1)[0]!) : undefined
    if (bits === undefined) return undefined
    const prefix = unmap(bits)
    let first = Number.POSITIVE_INFINITY
    for (const length of this.#lengths) first = Math.min(first, this.#first.get(prefix.slice(0, length)) ?? first)
    return this.#values[first]
  }
}
