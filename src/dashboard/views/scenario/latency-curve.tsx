import { parseDuration } from '../../../basics/duration.ts'
import { formatMs } from '../../parts/status.tsx'
import type { Latency } from '../../types.ts'

const toMs = (text: string) => parseDuration(text) ?? 0

type Point = [share: number, ms: number]

/** Which share of calls takes at most how long: the same straight lines that the simulator draws from. */
function pointsOf(latency: Latency): Point[] {
  if (typeof latency === 'string')
    return [
      [0, toMs(latency)],
      [1, toMs(latency)],
    ]
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

const BINS = 48
const [WIDTH, HEIGHT] = [288, 56]

/** The share of calls that take no longer. */
function shareBelow(points: Point[], ms: number): number {
  const right = points.findIndex(([, at]) => at > ms)
  if (right < 0) return 1
  if (right === 0) return 0
  const [[x0, y0], [x1, y1]] = [points[right - 1]!, points[right]!]
  return x0 + ((ms - y0) / (y1 - y0)) * (x1 - x0)
}

/** What share of calls falls into each bin between the shortest and the longest. */
function histogram(points: Point[], least: number, most: number): number[] {
  if (most === least) return Array.from({ length: BINS }, (_, i) => (i === BINS / 2 ? 1 : 0))
  const step = (most - least) / BINS
  return Array.from(
    { length: BINS },
    (_, i) => shareBelow(points, least + (i + 1) * step) - shareBelow(points, least + i * step),
  )
}

function describe(latency: Latency): string {
  if (typeof latency === 'string') return `always ${latency}`
  if ('min' in latency) return `evenly between ${latency.min} and ${latency.max}`
  return `half under ${latency.p50}, 95% under ${latency.p95}, 99% under ${latency.p99}`
}

/** A histogram of a latency, with its percentiles marked. */
export function LatencyCurve({ latency }: { latency: Latency }) {
  const points = pointsOf(latency)
  const [least, most] = [points[0]![1], points.at(-1)![1]]
  const bins = histogram(points, least, most)
  const tallest = Math.max(...bins)
  const width = WIDTH / BINS
  const marks = typeof latency === 'object' && 'p50' in latency ? (['p50', 'p95', 'p99'] as const) : []
  const x = (ms: number) => (most === least ? WIDTH / 2 : ((ms - least) / (most - least)) * WIDTH)
  return (
    <figure class="latency">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`} role="img" aria-label={`Latency: ${describe(latency)}`}>
        {bins.map((count, i) => {
          // Square roots keep the long tail visible.
          const height = count === 0 ? 0 : Math.max(1.5, Math.sqrt(count / tallest) * (HEIGHT - 6))
          return <rect key={i} class="bar" x={i * width + 0.5} width={width - 1} y={HEIGHT - height} height={height} />
        })}
        <line class="ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {marks.map((mark, i) => {
          const at = x(toMs((latency as Record<string, string>)[mark]!))
          return (
            <g key={mark} class="mark">
              <line x1={at} x2={at} y1="0" y2={HEIGHT} />
              <text x={Math.min(at + 3, WIDTH - 20)} y={10 + i * 11}>
                {mark}
              </text>
            </g>
          )
        })}
        <text class="scale" x="0" y={HEIGHT + 12}>
          {formatMs(least)}
        </text>
        <text class="scale end" x={WIDTH} y={HEIGHT + 12}>
          {formatMs(most)}
        </text>
      </svg>
      <figcaption class="muted">{describe(latency)}</figcaption>
    </figure>
  )
}
