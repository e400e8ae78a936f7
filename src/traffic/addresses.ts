import { bareAddress, isLocalHostport, type Row, splitAddress } from '../schema/index.ts'

/** The tables whose records can have listeners. */
export const EDGES = ['tcp_edges', 'https_edges']

export interface Address {
  /** As the record of the edge has it. */
  hostport: string
  host: string
  port: number
  /** Begins with http://: an HTTPS edge serves plain HTTP here. */
  plain: boolean
}

/** Where an edge listens: at its loopback hostports. Other hostports are stored, and nothing listens there. */
export function addressesOf(edge: Row): Address[] {
  return ((edge.hostports ?? []) as string[]).flatMap(hostport => {
    if (!isLocalHostport(hostport)) return []
    const { host, port } = splitAddress(bareAddress(hostport))
    return [{ hostport, host: host === 'localhost' ? '127.0.0.1' : host, port, plain: hostport.startsWith('http://') }]
  })
}
