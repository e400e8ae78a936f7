import { flag, integer, module, number, type ValueError, value } from '../../../schema/index.ts'
import { UINT32 } from './limits.ts'

const seconds = (below: ValueError) => value(integer({ minimum: 1, maximum: UINT32 }, { below }), { default: 10 })

const within = (error: ValueError) => ({ below: error, above: error })

/** Stops forwarding for a while when too many answers are errors. docs/api.md 10.9. */
export const circuitBreakerModule = module({
  key: 'circuit_breaker',
  label: 'circuit breaker module',
  of: { https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    tripped_duration: seconds('breaker_tripped_duration'),
    rolling_window: seconds('breaker_rolling_window'),
    num_buckets: value(integer({ minimum: 1, maximum: 128 }, within('breaker_num_buckets')), { default: 10 }),
    volume_threshold: value(integer({ minimum: 0, maximum: UINT32 }), { default: 20 }),
    error_threshold_percentage: value(number({ minimum: 0, maximum: 1 }, within('breaker_error_threshold')), {
      default: 0.5,
    }),
  },
})
