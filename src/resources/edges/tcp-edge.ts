import { collection, described, hostports, listenAddress, upstreamAddress, value } from '../../schema/index.ts'
import { checkHostports, HOSTPORT_ONCE } from './edge-hostports.ts'

/** Forwards connections to a backend or an upstream. docs/api.md 10.4. */
export const tcpEdges = collection({
  name: 'tcp_edge',
  table: 'tcp_edges',
  label: 'TCP edge',
  path: '/edges/tcp',
  prefix: 'edgtcp',
  section: '10.4',
  listAs: 'tcp_edges',
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
  check: (row, before, context) => checkHostports('tcp', row, before, context),
})
