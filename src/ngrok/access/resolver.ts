import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../../basics/cidr.ts'

/** Resolves each target host once, because a later result could be an address that is not allowed. */
export class Resolver {
  readonly #known = new Map<string, Promise<string[]>>()

  readonly #allowed: string[]

  /** Allowed hosts on other machines. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = allowed.map(host => host.toLowerCase())
  }

  /** The addresses of a host. Rejects if it has none, or an address that is not allowed. */
  resolve(host: string): Promise<string[]> {
    let known = this.#known.get(host)
    if (!known) {
      known = this.#lookUp(host)
      this.#known.set(host, known)
      // Retry a failed lookup the next time.
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
      `${at} is not on this machine, and only loopback upstreams are allowed. To allow it, start with --allow-upstream ${host}`,
    )
  }
}
