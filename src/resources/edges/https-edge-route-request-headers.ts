import { flag, headerMap, headerNames, module } from '../../schema/index.ts'

/** Headers that are added to and removed from requests before they are forwarded. docs/api.md 2.5, 4.4. */
export const httpsEdgeRouteRequestHeaders = module({
  name: 'https_edge_route_request_headers_module',
  label: 'request headers module',
  section: '4.4',
  fields: {
    enabled: flag({ default: true }),
    add: headerMap(),
    remove: headerNames(),
  },
  of: { table: 'https_edge_routes', key: 'request_headers' },
})
