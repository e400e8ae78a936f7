import { flag, integer, module, number, textShape, type ValueError, value } from '../../../schema/index.ts'
import { UINT32 } from './limits.ts'

const seconds = (below: ValueError) => value(integer({ minimum: 1, maximum: UINT32 }, { below }), { default: 10 })

/** Stops forwarding for a while when too many answers are errors. docs/api.md 10.9. */
export const circuitBreakerModule = module({
  key: 'circuit_breaker',
  label: 'circuit breaker module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    tripped_duration: seconds('breaker_tripped_duration'),
    rolling_window: seconds('breaker_rolling_window'),
    num_buckets: value(integer({ minimum: 1, maximum: 128 }, 'breaker_num_buckets'), { default: 10 }),
    volume_threshold: value(integer({ minimum: 0, maximum: UINT32 }), { default: 20 }),
    error_threshold_percentage: value(number({ minimum: 0, maximum: 1 }, 'breaker_error_threshold'), {
      default: 0.5,
    }),
  },
})

/** Answers are compressed where the client accepts that. docs/api.md 10.9. */
export const compressionModule = module({
  key: 'compression',
  label: 'compression module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})

/** WebSockets become TCP connections. It is kept and not acted on. docs/api.md 10.9. */
export const websocketTcpConverterModule = module({
  key: 'websocket_tcp_converter',
  label: 'websocket TCP converter module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})

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
      content: 'text',
    }),
  },
})
