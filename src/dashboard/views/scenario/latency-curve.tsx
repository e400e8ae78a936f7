import { formatMs } from '../../parts/status.tsx'
import { entries } from '../../state/journal.ts'
import type { Latency, RuleReport } from '../../types.ts'
import { axisFor, declaredBins, durationsOf, medianOf, observedBins, pointsOf, positionOn } from './latency-bins.ts'

const [WIDTH, HEIGHT] = [288, 56]

function describe(latency: Latency): string {
  if (typeof latency === 'string') return `always ${latency}`
  if ('min' in latency) return `uniform, ${latency.min} to ${latency.max}`
  return `p50 ${latency.p50}, p95 ${latency.p95}, p99 ${latency.p99}`
}

/** Bin heights. Square roots keep the long tail visible. */
function heightsOf(bins: readonly number[]): number[] {
  const tallest = Math.max(...bins)
  return bins.map(share => (share === 0 ? 0 : Math.max(1.5, Math.sqrt(share / tallest) * (HEIGHT - 6))))
}

/** A stepped outline over the bins. */
const outlineOf = (heights: readonly number[]) =>
  `M0 ${HEIGHT}${heights.map((height, i) => `V${HEIGHT - height}H${((i + 1) / heights.length) * WIDTH}`).join('')}V${HEIGHT}`

/** A histogram of a rule's declared latency, overlaid with observed durations. */
export function LatencyCurve({ rule, latency }: { rule: RuleReport; latency: Latency }) {
  const points = pointsOf(latency)
  const durations = durationsOf(rule, entries.value)
  const axis = axisFor(points, durations)
  const { least, most } = axis
  const declared = heightsOf(declaredBins(points, axis))
  const binWidth = WIDTH / declared.length
  const x = (ms: number) => positionOn(axis, ms) * WIDTH
  const beyond = durations.filter(ms => ms > most).length
  const above = beyond > 0 ? `, ${beyond} above ${formatMs(most)}` : ''
  const observed =
    durations.length > 0 && `observed (${durations.length}), median ${formatMs(medianOf(durations))}${above}`
  return (
    <figure class={`latency ${observed ? 'compared' : ''}`}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`}
        role="img"
        aria-label={`Latency: ${describe(latency)}${observed ? `; ${observed}` : ''}`}
      >
        {declared.map((height, i) => (
          <rect key={i} class="bar" x={i * binWidth + 0.5} width={binWidth - 1} y={HEIGHT - height} height={height} />
        ))}
        {durations.length > beyond && <path class="observed" d={outlineOf(heightsOf(observedBins(durations, axis)))} />}
        <line class="ground" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {points.slice(1, -1).map(([share, ms], i) => (
          <g key={share} class="mark">
            <line x1={x(ms)} x2={x(ms)} y1="0" y2={HEIGHT} />
            <text x={Math.min(x(ms) + 3, WIDTH - 20)} y={10 + i * 11}>
              p{share * 100}
            </text>
          </g>
        ))}
        <text class="scale" x="0" y={HEIGHT + 12}>
          {formatMs(least)}
        </text>
        <text class="scale end" x={WIDTH} y={HEIGHT + 12}>
          {formatMs(most)}
        </text>
      </svg>
      <figcaption class="muted">
        <p>{observed ? `declared: ${describe(latency)}` : describe(latency)}</p>
        {observed && <p>{observed}</p>}
      </figcaption>
    </figure>
  )
}
