import { collection, hostports, listenAddress, text, upstreamAddress, value } from '../../schema/index.ts'

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
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    hostports: hostports(),
  },
  stored: {
    listen: value(listenAddress(), { firstOf: 'hostports' }),
    upstream: value(upstreamAddress()),
  },
  unsimulated: ['traffic_policy'],
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
})
