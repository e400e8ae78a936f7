import { collection, described, hostports, listenAddress, upstreamAddress, value } from '../../schema/index.ts'
import { checkHostports, HOSTPORT_ONCE } from './edge-hostports.ts'

interface Module {
  enabled: boolean
  terminate_at?: string
}

/** Forwards TLS connections to a backend or an upstream. docs/api.md 10.23. */
export const tlsEdges = collection({
  name: 'tls_edge',
  table: 'tls_edges',
  label: 'TLS edge',
  path: '/edges/tls',
  prefix: 'edgtls',
  section: '10.23',
  listAs: 'tls_edges',
  neighbour: true,
  fields: {
    ...described({ description: 'edge_description_too_long', metadata: 'edge_metadata_too_long' }),
    hostports: hostports({ unset: 'null' }),
  },
  stored: {
    listen: value(listenAddress(), { firstOf: 'hostports', holds: 'host' }),
    upstream: value(upstreamAddress(), { holds: 'host' }),
  },
  alwaysNull: ['policy'],
  unique: HOSTPORT_ONCE,
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
  check(row, before, context) {
    checkHostports('tls', row, before, context)
    const { tls_termination: termination, mutual_tls: mutual } = row as Partial<Record<string, Module>>
    if (termination === before?.tls_termination && mutual === before?.mutual_tls) return
    const ends = termination?.enabled ? termination.terminate_at : 'edge'
    if (ends === 'upstream' && mutual?.enabled)
      context.fail('tls_not_terminated', { field: 'tls_termination.terminate_at' })
  },
})
