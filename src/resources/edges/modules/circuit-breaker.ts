import { flag, integer, module, number, value } from '../../../schema/index.ts'

const seconds = (fallback: number) => value(integer({ minimum: 1, maximum: 86_400 }), { default: fallback })

/** Stops forwarding for a while when too many answers are errors. docs/api.md 10.9. */
export const circuitBreakerModule = module({
  key: 'circuit_breaker',
  label: 'circuit breaker module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    tripped_duration: seconds(10),
    rolling_window: seconds(10),
    num_buckets: value(integer({ minimum: 1, maximum: 128 }), { default: 10 }),
    volume_threshold: value(integer({ minimum: 0, maximum: 1_000_000 }), { default: 20 }),
    error_threshold_percentage: value(number({ minimum: 0, maximum: 1 }), { default: 0.5 }),
  },
})
