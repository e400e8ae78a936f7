import { BlockList, isIP } from 'node:net'

/** An address as policies see it: a v4-mapped IPv6 address is the IPv4 address it stands for, and zones are dropped. */
export function normaliseAddress(address: string): string {
  const bare = address.split('%')[0]!
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)
  if (mapped) return mapped[1]!
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(bare)
  if (!hex) return bare
  const [high, low] = [Number.parseInt(hex[1]!, 16), Number.parseInt(hex[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

interface Cidr {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

export function parseCidr(text: string): Cidr | undefined {
  const parts = /^([^/%]+)\/(\d{1,3})$/.exec(text)
  if (!parts) return undefined
  const version = isIP(parts[1]!)
  const bits = Number(parts[2])
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return undefined
  const address = normaliseAddress(parts[1]!)
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8; a shorter mapped prefix reaches beyond IPv4 and stays IPv6.
  if (version === 6 && isIP(address) === 4 && bits >= 96) return { address, bits: bits - 96, family: 'ipv4' }
  return { address: parts[1]!, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** A set of CIDR blocks, compiled once. */
export class CidrSet {
  readonly #blocks = new BlockList()
  readonly size: number

  constructor(cidrs: string[]) {
    this.size = cidrs.length
    for (const text of cidrs) {
      const cidr = parseCidr(text)
      if (!cidr) throw new Error(`${JSON.stringify(text)} is not a CIDR block`)
      this.#blocks.addSubnet(cidr.address, cidr.bits, cidr.family)
    }
  }

  has(address: string): boolean {
    const bare = normaliseAddress(address)
    const version = isIP(bare)
    return version !== 0 && this.#blocks.check(bare, version === 4 ? 'ipv4' : 'ipv6')
  }
}
