import { flag, module, reference } from '../../schema/index.ts'

const backend = {
  label: 'backend module',
  neighbour: true,
  fields: {
    enabled: flag({ default: true }),
    backend_id: reference(['backends'], {
      missing: 'backend_missing',
      // There are kinds of backends that edgesim does not have.
      malformed: { error: 'bad_backend_id', form: /^bkd[a-z]+_/ },
      shownAs: 'backend',
    }),
  },
} as const

/** Where a TCP edge forwards connections to. docs/api.md 10.7. */
export const tcpEdgeBackend = module({
  name: 'tcp_edge_backend_module',
  section: '10.7',
  ...backend,
  of: { table: 'tcp_edges', key: 'backend' },
})

/** Where a route forwards requests to. docs/api.md 10.7. */
export const httpsEdgeRouteBackend = module({
  name: 'https_edge_route_backend_module',
  section: '10.7',
  ...backend,
  of: { table: 'https_edge_routes', key: 'backend' },
})
