import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../ip/cidr.ts'
import type { Row } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'
import { splitAddress } from './addresses.ts'

/** Where an edge or a route sends traffic. */
export interface Upstream {
  host: string
  port: number
  tls: boolean
  /** The path of an upstream URL, which is put before the path of every request. */
  path: string
  /** As the record has it. */
  shown: string
}

/** By the backend or holder: rows never change, so each is parsed once. */
const known = new WeakMap<Row, Upstream>()

/** docs/traffic.md: the backend, or else the `upstream` of the fixture. A backend that is not enabled counts as none. */
export function upstreamOf(tables: Tables, holder: Row): Upstream | undefined {
  const module = holder.backend as { enabled: boolean; backend_id?: string } | undefined
  const backend = module?.enabled && module.backend_id ? tables.of('backends').get(module.backend_id) : undefined
  const row = module ? backend : holder
  if (!row || (!module && row.upstream === undefined)) return undefined
  let upstream = known.get(row)
  if (!upstream) {
    upstream = module ? fromBackend(row) : fromText(row.upstream as string)
    known.set(row, upstream)
  }
  return upstream
}

const fromBackend = ({ address, tls }: Row): Upstream => ({
  ...splitAddress(address as string),
  tls: (tls as { enabled: boolean }).enabled,
  path: '',
  shown: address as string,
})

function fromText(shown: string): Upstream {
  if (!shown.includes('://')) return { ...splitAddress(shown), tls: false, path: '', shown }
  const { hostname, port, protocol, pathname } = new URL(shown)
  const tls = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port) || (tls ? 443 : 80), tls, path: pathname.replace(/\/$/, ''), shown }
}

/** Looks up hosts of upstreams, each name once: a later answer could be an address that is not allowed. */
export class Resolver {
  readonly #known = new Map<string, Promise<string>>()

  /** Hosts that are allowed although they are not on this machine. */
  constructor(readonly allowed: readonly string[]) {}

  /** The address of a host. Rejects when it is unknown or not allowed. */
  resolve(host: string): Promise<string> {
    let known = this.#known.get(host)
    if (!known) {
      known = this.#lookUp(host)
      this.#known.set(host, known)
      // A failed lookup is tried again the next time.
      known.catch(() => this.#known.delete(host))
    }
    return known
  }

  async #lookUp(host: string): Promise<string> {
    const { address } = isIP(host) ? { address: host } : await lookup(host)
    if (isLoopback(address) || this.allowed.includes(host.toLowerCase())) return address
    const at = host === address ? host : `${host} (${address})`
    throw new Error(
      `${at} is not on this machine. Only loopback upstreams are allowed; start with --allow-upstream ${host} for this one`,
    )
  }
}
