import { choice, collection, matching, reference, text, upstreamUrl, value } from '../../schema/index.ts'

/** What an HTTPS edge does with requests to some paths. docs/api.md 10.6. */
export const httpsEdgeRoutes = collection({
  name: 'https_edge_route',
  table: 'https_edge_routes',
  label: 'HTTPS edge route',
  path: '/edges/https/{edge_id}/routes',
  prefix: 'edghtsrt',
  section: '10.6',
  neighbour: true,
  partOf: {
    table: 'https_edges',
    by: 'edge_id',
    list: 'routes',
    shown: true,
    distinct: { fields: ['match_type', 'match'], error: 'route_twice' },
  },
  fields: {
    edge_id: reference(['https_edges'], { missing: 'bad_reference', createOnly: true }),
    // A request must give match_type and match; a fixture that gives none matches every path.
    match_type: choice(['exact_path', 'path_prefix'], {
      error: 'invalid_value',
      required: 'invalid_value',
      default: 'path_prefix',
    }),
    match: value(matching(/^\/[^\s?#]*$/, { examples: ['/api'] }), { required: 'invalid_value', default: '/' }),
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
  },
  stored: { upstream: value(upstreamUrl()) },
  unsimulated: [
    'ip_restriction',
    'circuit_breaker',
    'compression',
    'response_headers',
    'webhook_verification',
    'oauth',
    'saml',
    'oidc',
    'websocket_tcp_converter',
    'user_agent_filter',
    'traffic_policy',
  ],
  errors: { missing: 'route_missing', elsewhere: 'route_elsewhere' },
})
