import { parseDuration } from '../../../basics/duration.ts'
import type { Latency, ListedEntry, RuleReport } from '../../types.ts'

const toMs = (text: string) => parseDuration(text) ?? 0

export type Point = [share: number, ms: number]

/** Points of the distribution (share of calls, latency). The simulator interpolates between the same points. */
export function pointsOf(latency: Latency): Point[] {
  if (typeof latency === 'string') return pointsOf({ min: latency, max: latency })
  if ('min' in latency)
    return [
      [0, toMs(latency.min)],
      [1, toMs(latency.max)],
    ]
  const [p50, p95, p99] = [toMs(latency.p50), toMs(latency.p95), toMs(latency.p99)]
  return [
    [0, p50 / 2],
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
    [1, p99 * 1.2],
  ]
}

export const BINS = 48

/** The share of calls that take up to `ms`. */
function shareBelow(points: Point[], ms: number): number {
  const right = points.findIndex(([, at]) => at > ms)
  if (right < 0) return 1
  if (right === 0) return 0
  const [[x0, y0], [x1, y1]] = [points[right - 1]!, points[right]!]
  return x0 + ((ms - y0) / (y1 - y0)) * (x1 - x0)
}

/** The range of the chart, in milliseconds. */
export interface Axis {
  least: number
  most: number
}

/** Where a duration is on the axis, from 0 to 1. A fixed latency is in the middle. */
export const positionOn = ({ least, most }: Axis, ms: number) => (most === least ? 0.5 : (ms - least) / (most - least))

/** The declared share of calls per bin. */
export function declaredBins(points: Point[], { least, most }: Axis): number[] {
  if (most === least) return observedBins([most], { least, most })
  const step = (most - least) / BINS
  const upTo = (bin: number) => (bin === 0 ? 0 : shareBelow(points, least + bin * step))
  return Array.from({ length: BINS }, (_, i) => upTo(i + 1) - upTo(i))
}

/** The observed share of calls per bin, without calls beyond the axis. */
export function observedBins(durations: readonly number[], axis: Axis): number[] {
  const bins = new Array<number>(BINS).fill(0)
  for (const ms of durations)
    if (ms <= axis.most) bins[Math.min(BINS - 1, Math.floor(positionOn(axis, ms) * BINS))]! += 1
  return bins.map(count => count / durations.length)
}

/** The simulator's own overhead. */
const OVERHEAD_MS = 10

/** Covers the declared range, and observed durations up to twice its maximum. */
export function axisFor(points: Point[], durations: readonly number[]): Axis {
  const [least, most] = [points[0]![1], points.at(-1)![1]]
  const within = durations.filter(ms => ms <= most * 2 + OVERHEAD_MS)
  return { least: Math.min(least, ...within), most: Math.max(most, ...within) }
}

/**
 * The durations of calls on which the rule fired, newest first. Limited to the rule's counter: older calls belong to an
 * earlier scenario with the same rule name.
 */
export const durationsOf = ({ name, fired }: RuleReport, entries: readonly ListedEntry[]) =>
  entries
    .filter(({ rules }) => rules.some(rule => rule.fired && rule.name === name))
    .flatMap(({ duration_ms }) => duration_ms ?? [])
    .slice(0, fired)

export const medianOf = (durations: readonly number[]) =>
  durations.toSorted((a, b) => a - b)[Math.floor(durations.length / 2)]!
