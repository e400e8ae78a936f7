import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopback } from '../ip/cidr.ts'
import type { Row } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'
import { splitAddress } from './addresses.ts'

/** Where an edge or a route takes traffic to. */
export interface Upstream {
  host: string
  port: number
  tls: boolean
  /** Of a URL: what stands before the path of every request. */
  path: string
  /** As it was written. */
  shown: string
}

/** By what says so: rows never change. */
const known = new WeakMap<Row, Upstream>()

/** docs/traffic.md: its backend, or where none is set what the fixture says. A backend that is not enabled is none. */
export function upstreamOf(tables: Tables, holder: Row): Upstream | undefined {
  const module = holder.backend as { enabled: boolean; backend_id?: string } | undefined
  const backend = module?.enabled && module.backend_id ? tables.of('backends').get(module.backend_id) : undefined
  const row = module ? backend : holder
  if (!row || (!module && row.upstream === undefined)) return undefined
  let upstream = known.get(row)
  if (!upstream) {
    upstream = module ? ofBackend(row) : ofText(row.upstream as string)
    known.set(row, upstream)
  }
  return upstream
}

const ofBackend = ({ address, tls }: Row): Upstream => ({
  ...splitAddress(address as string),
  tls: (tls as { enabled: boolean }).enabled,
  path: '',
  shown: address as string,
})

function ofText(shown: string): Upstream {
  if (!shown.includes('://')) return { ...splitAddress(shown), tls: false, path: '', shown }
  const { hostname, port, protocol, pathname } = new URL(shown)
  const tls = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(port) || (tls ? 443 : 80), tls, path: pathname.replace(/\/$/, ''), shown }
}

/** Names are looked up once: one that leads elsewhere the next time would lead past the check. */
export class Resolver {
  readonly #known = new Map<string, Promise<string>>()

  /** Hosts that may be elsewhere. */
  constructor(readonly allowed: readonly string[]) {}

  /** The address of a host; rejects with what is wrong with it. A string where it is known at once. */
  resolve(host: string): string | Promise<string> {
    if (isIP(host)) return this.#check(host, host)
    let known = this.#known.get(host)
    if (!known) {
      known = lookup(host).then(({ address }) => this.#check(host, address))
      this.#known.set(host, known)
      // What could not be looked up may be there the next time.
      known.catch(() => this.#known.delete(host))
    }
    return known
  }

  #check(host: string, address: string): string {
    if (isLoopback(address) || this.allowed.includes(host.toLowerCase())) return address
    const at = host === address ? host : `${host} (${address})`
    throw new Error(
      `${at} is not on this machine. Only loopback upstreams are allowed; start with --allow-upstream ${host} for this one`,
    )
  }
}
