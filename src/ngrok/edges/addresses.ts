import type { Decision } from '../../contract/traffic.ts'
import type { Row } from '../../engine/language/index.ts'
import { bareAddress, isLocalHostport, splitAddress } from '../resources/edges/address.ts'
import { hostportsOf } from '../resources/edges/edge-hostports.ts'

/** Edge kinds by table. */
const KINDS: Record<string, Decision['kind']> = { tcp_edges: 'tcp', tls_edges: 'tls', https_edges: 'https' }

/** Tables of records that can have listeners. */
export const EDGES = Object.keys(KINDS)

export const kindOfEdge = (table: string) => KINDS[table]!

export interface Address {
  /** As stored in the edge. */
  hostport: string
  host: string
  port: number
  /** Begins with http://: an HTTPS edge serves plain HTTP here. */
  plain: boolean
}

/** The loopback hostports, where an edge listens. Other hostports are only stored. */
export function addressesOf(edge: Row): Address[] {
  return hostportsOf(edge).flatMap(hostport => {
    if (!isLocalHostport(hostport)) return []
    const { host, port } = splitAddress(bareAddress(hostport))
    return [{ hostport, host: host === 'localhost' ? '127.0.0.1' : host, port, plain: hostport.startsWith('http://') }]
  })
}
