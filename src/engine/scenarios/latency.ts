import { boolean, checked, either, objectOf, type Valid, withType } from '../../basics/shape.ts'
import { duration, positiveDuration, toMs } from './setting.ts'

const between = { shape: duration, required: true } as const
const last = { shape: positiveDuration, required: true } as const
const after = { shape: boolean }

const range = checked(objectOf({ min: between, max: last, after }), ({ min, max }) =>
  toMs(min) > toMs(max) ? { message: 'min must not be above max' } : undefined,
)

const percentiles = checked(objectOf({ p50: between, p95: between, p99: last, after }), ({ p50, p95, p99 }) =>
  toMs(p50) > toMs(p95) || toMs(p95) > toMs(p99) ? { message: 'p50 to p99 must not decrease' } : undefined,
)

export const latencyShape = either(
  positiveDuration,
  withType(range, '{ min, max }'),
  withType(percentiles, '{ p50, p95, p99 }'),
)
export type LatencySettings = Valid<typeof latencyShape>

/** Whether the call is executed before the latency. */
export const isAfterCall = (settings: LatencySettings | undefined) =>
  typeof settings === 'object' && settings.after === true

/** Returns the latency in milliseconds for a random number from 0 to 1. A fixed latency uses no random number. */
export function latencyOf(settings: LatencySettings): (nextRandom: () => number) => number {
  if (typeof settings === 'string') {
    const fixed = toMs(settings)
    return () => fixed
  }
  if ('min' in settings) return interpolate([0, toMs(settings.min)], [1, toMs(settings.max)])
  const [p50, p95, p99] = [toMs(settings.p50), toMs(settings.p95), toMs(settings.p99)]
  // Flat around each percentile, so samples of a few thousand calls hit it despite randomness.
  return interpolate(
    [0, p50 / 2],
    [0.48, p50],
    [0.52, p50],
    [0.94, p95],
    [0.96, p95],
    [0.986, p99],
    [0.994, p99],
    [1, p99 * 1.2],
  )
}

/** Linear interpolation between the points. */
function interpolate(...points: [at: number, ms: number][]): (nextRandom: () => number) => number {
  return nextRandom => {
    const random = nextRandom()
    const right = Math.max(
      1,
      points.findIndex(([at]) => at >= random),
    )
    const [[x0, y0], [x1, y1]] = [points[right - 1]!, points[right]!]
    return y0 + ((random - x0) / (x1 - x0)) * (y1 - y0)
  }
}
