import { collection, hostports, listenAddress, text, value } from '../../schema/index.ts'

/** Forwards requests by its routes. docs/api.md 10.5. */
export const httpsEdges = collection({
  name: 'https_edge',
  table: 'https_edges',
  label: 'HTTPS edge',
  path: '/edges/https',
  prefix: 'edghts',
  section: '10.5',
  listAs: 'https_edges',
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    hostports: hostports(['http://', 'https://']),
  },
  // Only a fixture has it: it becomes the first of the hostports.
  stored: {
    listen: value(listenAddress(['http://', 'https://'], ['127.0.0.1:0', 'http://127.0.0.1:0']), {
      firstOf: 'hostports',
    }),
  },
  unsimulated: ['mutual_tls', 'tls_termination'],
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
})
