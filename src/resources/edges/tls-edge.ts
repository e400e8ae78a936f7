import { collection, described, hostports, listenAddress, upstreamAddress, value } from '../../schema/index.ts'
import { HOSTPORT_ONCE } from './https-edge.ts'

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
    listen: value(listenAddress(), { firstOf: 'hostports' }),
    upstream: value(upstreamAddress()),
  },
  alwaysNull: ['policy'],
  unique: HOSTPORT_ONCE,
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
})
