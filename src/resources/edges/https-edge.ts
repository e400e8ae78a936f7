import { collection, described, hostports, isLocalHostport, listenAddress, value } from '../../schema/index.ts'

/** An address belongs to one edge. Port 0 is a new port each time. */
export const HOSTPORT_ONCE = {
  field: 'hostports',
  among: ['tcp_edges', 'tls_edges', 'https_edges'],
  error: 'hostport_taken',
  except: (hostport: string) => hostport.endsWith(':0'),
} as const

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
    ...described({ description: 'edge_description_too_long', metadata: 'edge_metadata_too_long' }),
    hostports: hostports({ schemes: ['http://', 'https://'], default: [] }),
  },
  // Only a fixture has it: it becomes the first of the hostports.
  stored: {
    listen: value(listenAddress(['http://', 'https://'], ['127.0.0.1:0', 'http://127.0.0.1:0']), {
      firstOf: 'hostports',
    }),
  },
  unique: HOSTPORT_ONCE,
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
  check(row, before, { fail }) {
    if (row.hostports === before?.hostports) return
    const wrong = (row.hostports as string[]).find(each => !isLocalHostport(each) && !each.endsWith(':443'))
    const expected = 'addresses with port 443, which HTTPS edges are reached at (any port on loopback)'
    if (wrong) fail('hostport_not_443', { field: 'hostports', expected, received: JSON.stringify(wrong) })
  },
})
