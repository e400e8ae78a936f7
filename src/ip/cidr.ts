import { BlockList, isIPv4, SocketAddress } from 'node:net'

/** Like `net.isIP`, whose pattern for IPv6 takes longer to compile than all other work of a start. */
function isIP(text: string): 0 | 4 | 6 {
  if (!text.includes(':')) return isIPv4(text) ? 4 : 0
  try {
    new SocketAddress({ address: text, family: 'ipv6' })
    return 6
  } catch {
    return 0
  }
}

/** An address as policies see it: a v4-mapped IPv6 address is the IPv4 address it stands for, and zones are dropped. */
export function normaliseAddress(address: string): string {
  if (!address.includes(':')) return address
  const bare = address.split('%')[0]!
  if (isIP(bare) !== 6) return bare
  // The one canonical spelling: ::ffff:a00:1 and 0:0:0:0:0:ffff:10.0.0.1 are both ::ffff:10.0.0.1.
  const canonical = new SocketAddress({ address: bare, family: 'ipv6' }).address
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(canonical)?.[1] ?? canonical
}

export function isLoopback(address: string): boolean {
  const plain = normaliseAddress(address)
  return plain === '::1' || /^127\.\d+\.\d+\.\d+$/.test(plain)
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

/**
 * A set of CIDR blocks, compiled once. Each family has its own list: in one list, ::/0 would match every IPv4 address.
 */
export class CidrSet {
  readonly #blocks = { ipv4: new BlockList(), ipv6: new BlockList() }
  readonly size: number

  constructor(cidrs: string[]) {
    this.size = cidrs.length
    for (const text of cidrs) {
      const cidr = parseCidr(text)
      if (!cidr) throw new Error(`${JSON.stringify(text)} is not a CIDR block`)
      this.#blocks[cidr.family].addSubnet(cidr.address, cidr.bits, cidr.family)
    }
  }

  has(address: string): boolean {
    const bare = normaliseAddress(address)
    const version = isIP(bare)
    if (version === 0) return false
    const family = version === 4 ? 'ipv4' : 'ipv6'
    return this.#blocks[family].check(bare, family)
  }
}
