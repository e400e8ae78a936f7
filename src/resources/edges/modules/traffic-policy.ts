import { flag, module, textShape, value } from '../../../schema/index.ts'

/** A traffic policy, as JSON or YAML. It is kept and not acted on. docs/api.md 10.9. */
export const trafficPolicyModule = module({
  key: 'traffic_policy',
  label: 'traffic policy module',
  of: { tcp_edges: '10.9', tls_edges: '10.9', https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    value: value(textShape({ examples: ['{"on_http_request":[]}'], 'x-lines': true }), {
      default: '',
      document: 'traffic_policy_unreadable',
    }),
  },
})
