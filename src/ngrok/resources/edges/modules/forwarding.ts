import { flag, integer, module, number, textShape, type ValueError, value } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { UINT32 } from './limits.ts'

const seconds = (below: ValueError, describe: string) =>
  value(integer({ minimum: 1, maximum: UINT32 }, { below }), { default: 10, describe })

export const circuitBreakerModule = module({
  key: 'circuit_breaker',
  label: 'circuit breaker module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    tripped_duration: seconds(errors.breaker_tripped_duration, 'Seconds until the next attempt'),
    rolling_window: seconds(errors.breaker_rolling_window, 'Seconds to measure errors over'),
    num_buckets: value(integer({ minimum: 1, maximum: 128 }, errors.breaker_num_buckets), {
      default: 10,
      describe: 'Parts of the rolling window',
    }),
    volume_threshold: value(integer({ minimum: 0, maximum: UINT32 }), {
      default: 20,
      describe: 'Minimum requests in the window before the circuit can open',
    }),
    error_threshold_percentage: value(number({ minimum: 0, maximum: 1 }, errors.breaker_error_threshold), {
      default: 0.5,
      describe: 'Share of errors that opens the circuit',
    }),
  },
})

export const compressionModule = module({
  key: 'compression',
  label: 'compression module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})

/** Stored, without effect. */
export const websocketTcpConverterModule = module({
  key: 'websocket_tcp_converter',
  label: 'websocket TCP converter module',
  of: { https_edge_routes: '10.9' },
  fields: { enabled: flag({ default: true }) },
})

/** Stored, without effect. */
export const trafficPolicyModule = module({
  key: 'traffic_policy',
  label: 'traffic policy module',
  of: { tcp_edges: '10.9', tls_edges: '10.9', https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    value: value(textShape({ examples: ['{"on_http_request":[]}'], 'x-lines': true }), {
      default: '',
      document: errors.traffic_policy_unreadable,
      content: 'text',
      describe: 'JSON or YAML object, as a string',
    }),
  },
})
