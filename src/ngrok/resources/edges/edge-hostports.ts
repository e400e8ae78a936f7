import type { Row, RuleContext } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { coveringNames } from '../domains/domain-name.ts'
import { bareAddress, isLocalHostport, splitAddress } from './address.ts'

export const EDGES = ['tcp_edges', 'tls_edges', 'https_edges']

export const hostOfHostport = (hostport: string) => splitAddress(bareAddress(hostport)).host.toLowerCase()

/** An address belongs to one edge, except with port 0, which means any free port. */
export const HOSTPORT_ONCE = {
  field: 'hostports',
  among: EDGES,
  error: errors.hostport_taken,
  except: (hostport: string) => hostport.endsWith(':0'),
} as const

/** The hostports of an edge. */
export const hostportsOf = ({ hostports = [] }: Row) => hostports as string[]

/** Checks new addresses that are not loopback. */
export function checkHostports(kind: 'tcp' | 'tls' | 'https', row: Row, before: Row | undefined, context: RuleContext) {
  const known = before ? hostportsOf(before) : []
  for (const hostport of hostportsOf(row))
    if (!known.includes(hostport) && !isLocalHostport(hostport)) checkHostport(kind, hostport, context)
}

function checkHostport(kind: 'tcp' | 'tls' | 'https', hostport: string, { tables, assume, fail }: RuleContext) {
  const address = bareAddress(hostport)
  const mustBeReserved = assume(questions.edge_hostports) === 'reserved'
  const isAddr = tables.where('reserved_addrs', 'addr', address).length > 0
  const isOnDomain = coveringNames(hostOfHostport(hostport)).some(
    name => tables.where('reserved_domains', 'domain', name).length > 0,
  )
  const facts = { field: 'hostports', hostport }
  if (kind === 'tcp') {
    if (!mustBeReserved || isAddr) return
    fail(isOnDomain ? errors.domain_of_tcp_edge : errors.addr_not_reserved, facts)
  }
  if (mustBeReserved && isAddr) fail(kind === 'tls' ? errors.addr_of_tls_edge : errors.addr_of_https_edge, facts)
  const expected = `addresses with port 443 for ${kind.toUpperCase()} edges (any port on loopback)`
  if (!address.endsWith(':443'))
    fail(errors.hostport_not_443, { field: 'hostports', expected, received: `"${hostport}"` })
  if (mustBeReserved && !isOnDomain) fail(errors.domain_not_reserved, facts)
}
