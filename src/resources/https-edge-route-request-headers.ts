import { flag, headerMap, headerNames, module } from '../schema/index.ts'

/** Headers added to and removed from requests on their way to the upstream. docs/api.md 2.5, 4.4. */
export const httpsEdgeRouteRequestHeaders = module({
  name: 'https_edge_route_request_headers_module',
  label: 'request headers module',
  path: '/edges/https/{edge_id}/routes/{id}/request_headers',
  section: '4.4',
  fields: {
    enabled: flag({ default: true }),
    add: headerMap(),
    remove: headerNames(),
  },
  of: { table: 'https_edges', part: 'routes', key: 'request_headers' },
  params: { record: 'edge_id', part: 'id' },
  errors: {
    missing: 'edge_missing',
    badId: 'bad_edge_id',
    partMissing: 'route_missing',
    partElsewhere: 'route_elsewhere',
  },
})
