import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../ip/cidr.ts'

/** Looks up hosts that we send to, each name once: a later answer could be an address that is not allowed. */
export class Resolver {
  readonly #known = new Map<string, Promise<string[]>>()

  readonly #allowed: string[]

  /** Hosts that are allowed although they are not on this machine. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed.map(host => host.toLowerCase())
  }

  /** The addresses of a host. Rejects when it has none, or one that is not allowed. */
  resolve(host: string): Promise<string[]> {
    let known = this.#known.get(host)
    if (!known) {
      known = this.#lookUp(host)
      this.#known.set(host, known)
      // A failed lookup is tried again the next time.
      known.catch(() => this.#known.delete(host))
    }
    return known
  }

  async #lookUp(host: string): Promise<string[]> {
    const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address)
    const other = this.#allowed.includes(host.toLowerCase()) ? undefined : addresses.find(each => !isLoopback(each))
    if (other === undefined) return addresses
    const at = host === other ? host : `${host} (${other})`
    throw new Error(
      `${at} is not on this machine. Only loopback upstreams are allowed; start with --allow-upstream ${host} for this one`,
    )
  }
}
