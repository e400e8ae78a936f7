import * as z from 'zod'
import { complain, duration, someTime, toMs } from './setting.ts'

/** The error for a value that is not an object. */
const otherThan = (expected: string) => (issue: { code: string }) =>
  issue.code === 'invalid_type' ? expected : undefined

const after = z.boolean().optional()

const range = z
  .strictObject({ min: duration(), max: someTime(), after }, { error: otherThan('{ min, max }') })
  .check(ctx => {
    if (toMs(ctx.value.min) > toMs(ctx.value.max)) complain(ctx, { says: 'min must not be above max' })
  })

const percentiles = z
  .strictObject({ p50: duration(), p95: duration(), p99: someTime(), after }, { error: otherThan('{ p50, p95, p99 }') })
  .check(ctx => {
    const { p50, p95, p99 } = ctx.value
    if (toMs(p50) > toMs(p95) || toMs(p95) > toMs(p99)) complain(ctx, { says: 'p50, p95 and p99 must not fall' })
  })

export const latencySchema = z.union([someTime(), range, percentiles])
export type LatencySettings = z.infer<typeof latencySchema>

/** Whether the call is carried out before the wait. */
export const comesAfter = (settings: LatencySettings | undefined) =>
  typeof settings === 'object' && settings.after === true

/** A latency in milliseconds for a draw from 0 to 1, which is only made where it decides something. */
export function latencyOf(settings: LatencySettings): (draw: () => number) => number {
  if (typeof settings === 'string') {
    const fixed = toMs(settings)
    return () => fixed
  }
  if ('min' in settings) return along([0, toMs(settings.min)], [1, toMs(settings.max)])
  const [p50, p95, p99] = [toMs(settings.p50), toMs(settings.p95), toMs(settings.p99)]
  // Level around each percentile, as far as chance moves it in some thousand calls: elsewhere the lines may be steep.
  return along(
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

/** Straight lines between points. */
function along(...points: [at: number, ms: number][]): (draw: () => number) => number {
  return drawn => {
    const draw = drawn()
    const right = Math.max(
      1,
      points.findIndex(([at]) => at >= draw),
    )
    const [[x0, y0], [x1, y1]] = [points[right - 1]!, points[right]!]
    return y0 + ((draw - x0) / (x1 - x0)) * (y1 - y0)
  }
}
