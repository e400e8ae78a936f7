import { isLoopback } from '../ip/cidr.ts'
import type { Row } from '../schema/index.ts'

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
    const plain = hostport.startsWith('http://')
    const { host, port } = splitAddress(hostport.replace(/^https?:\/\//, ''))
    const address = host === 'localhost' ? '127.0.0.1' : host
    return isLoopback(address) ? [{ hostport, host: address, port, plain }] : []
  })
}

/** `[::1]:80` → ::1 and 80 */
export function splitAddress(address: string): { host: string; port: number } {
  const at = address.lastIndexOf(':')
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) }
}
