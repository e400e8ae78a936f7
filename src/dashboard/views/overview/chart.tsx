import { formatMs } from '../../parts/status.tsx'
import { lastMinute, percentile } from '../../state/last-minute.ts'

const [WIDTH, HEIGHT, STEP] = [600, 96, 10]

/** Seconds without requests leave a gap. */
const line = (points: [number, number][]) =>
  points
    .map(([x, y], i) => `${i === 0 || x - points[i - 1]![0] > STEP * 2 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')

/** Requests of the last minute, one bar per second, and how many of them failed. */
export function RateChart() {
  const seconds = lastMinute.value
  const most = Math.max(4, ...seconds.map(({ requests }) => requests))
  const total = seconds.reduce((sum, { requests }) => sum + requests, 0)
  const lately = seconds.slice(-11, -1).reduce((sum, { requests }) => sum + requests, 0) / 10
  const tall = (count: number) => (count / most) * (HEIGHT - 4)
  return (
    <figure class="chart">
      <figcaption>
        <strong class="number">{lately >= 10 ? Math.round(lately) : lately.toFixed(1)}</strong> requests a second
        <span class="muted number"> · {total} in the last minute</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${total} requests in the last minute`}
      >
        <line class="ground" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {seconds.map(({ at, requests, failures }, i) =>
          requests === 0 ? null : (
            <g key={at}>
              <rect
                class="bar"
                x={i * STEP + 1.5}
                width={STEP - 3}
                y={HEIGHT - tall(requests)}
                height={tall(requests)}
              />
              <rect
                class="bar bad"
                x={i * STEP + 1.5}
                width={STEP - 3}
                y={HEIGHT - tall(failures)}
                height={tall(failures)}
              />
            </g>
          ),
        )}
      </svg>
      <div class="chart-scale muted number" aria-hidden="true">
        <span>60 s ago</span>
        <span>peak {Math.max(0, ...seconds.map(({ requests }) => requests))}/s</span>
        <span>now</span>
      </div>
    </figure>
  )
}

/** The median and the 95th percentile of the latency in the last minute. */
export function LatencyChart() {
  const seconds = lastMinute.value
  const all = seconds.flatMap(({ latencies }) => latencies)
  const [p50, p95] = [percentile(all, 0.5), percentile(all, 0.95)]
  const series = [0.5, 0.95].map(share =>
    seconds.flatMap(({ latencies }, i): [number, number][] => {
      const value = percentile(latencies, share)
      return value === undefined ? [] : [[i * STEP + STEP / 2, value]]
    }),
  )
  const most = Math.max(1, ...series.flat().map(([, ms]) => ms))
  const drawn = series.map(points =>
    points.map(([x, ms]): [number, number] => [x, HEIGHT - 3 - (ms / most) * (HEIGHT - 8)]),
  )
  return (
    <figure class="chart">
      <figcaption>
        <strong class="number">{p50 === undefined ? '–' : formatMs(p50)}</strong> median latency
        <span class="muted number"> · p95 {p95 === undefined ? '–' : formatMs(p95)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={p50 === undefined ? 'No latency yet' : `Median ${formatMs(p50)}, p95 ${formatMs(p95!)}`}
      >
        <line class="ground" x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {drawn.map((points, s) => (
          <g key={s === 0 ? 'p50' : 'p95'} class={s === 0 ? 'p50' : 'p95'}>
            {points.length > 1 && <path d={line(points)} vector-effect="non-scaling-stroke" />}
            {points.map(([x, y]) => (
              <line key={x} class="point" x1={x} x2={x} y1={y} y2={y} vector-effect="non-scaling-stroke" />
            ))}
          </g>
        ))}
      </svg>
      <div class="chart-scale muted number" aria-hidden="true">
        <span>
          <span class="key p50" /> median <span class="key p95" /> p95
        </span>
        <span>top {formatMs(most)}</span>
        <span>now</span>
      </div>
    </figure>
  )
}
