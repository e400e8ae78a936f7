import { isIPv4 } from 'node:net'
import { normaliseAddress } from '../../../basics/cidr.ts'
import type { Report } from './report.ts'

/** RFC 5737: three blocks of 256 addresses. */
const V4 = ['192.0.2', '198.51.100', '203.0.113']
const V4_SIZE = V4.length * 256
/** RFC 3849: one block of this length. */
const V6_LENGTH = 32

/** Replaces addresses and CIDR blocks with ones from the documentation ranges. */
export class DocumentationBlocks {
  readonly #known = new Map<string, string>()
  readonly #report: Report
  #nextV4 = 0
  /** By prefix length. */
  readonly #nextV6 = new Map<number, bigint>()

  constructor(report: Report) {
    this.#report = report
  }

  /** Equal inputs get the same block, of the same size if possible. Without a length, returns an address. */
  of(address: string, length: number | undefined): string {
    const isV4 = isIPv4(address)
    const bits = length ?? (isV4 ? 32 : 128)
    const key = `${normaliseAddress(address)}/${bits}`
    const block = this.#known.get(key) ?? (isV4 ? this.#takeV4(bits) : this.#takeV6(bits))
    this.#known.set(key, block)
    return length === undefined ? block.split('/')[0]! : block
  }

  #takeV4(wanted: number): string {
    const bits = Math.max(24, wanted)
    if (wanted < bits) this.#report.note('smaller', 'IPv4')
    const size = 2 ** (32 - bits)
    const at = Math.ceil(this.#nextV4 / size) * size
    if (at >= V4_SIZE) this.#report.note('reused', 'IPv4')
    this.#nextV4 = at + size
    const place = at % V4_SIZE
    return `${V4[place >> 8]}.${place & 255}/${bits}`
  }

  #takeV6(wanted: number): string {
    const bits = Math.max(V6_LENGTH, wanted)
    if (wanted < bits) this.#report.note('smaller', 'IPv6')
    const n = this.#nextV6.get(bits) ?? 0n
    this.#nextV6.set(bits, n + 1n)
    const count = 1n << BigInt(bits - V6_LENGTH)
    if (n >= count) this.#report.note('reused', 'IPv6')
    const rest = ((n % count) << BigInt(128 - bits)).toString(16).padStart(24, '0')
    const groups = `20010db8${rest}`.match(/.{4}/g)!.map(group => Number.parseInt(group, 16).toString(16))
    return `${normaliseAddress(groups.join(':'))}/${bits}`
  }
}
