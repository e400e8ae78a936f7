import { counted } from '../../../basics/text.ts'
import { Segments } from '../../parts/inputs.tsx'
import { Section } from '../../parts/section.tsx'
import { dayTime, formatMs } from '../../parts/status.tsx'
import {
  countedSince,
  type Minutes,
  percentiles,
  STEPS,
  type Step,
  stepMs,
  stepsOf,
  WINDOWS,
} from '../../state/last-hour.ts'
import { amendQuery, place } from '../../state/place.ts'
import { clock } from '../../state/simulator.ts'
import { Chart, HEIGHT, lastOf, STEP_WIDTH } from './chart.tsx'

/** A scale from zero to a round number, with up to five ticks. */
function scaleTo(max: number, { integers = false } = {}): { top: number; ticks: number[] } {
  const rough = Math.max(max, Number.MIN_VALUE) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = [1, 2, 5, 10].map(factor => factor * power).find(step => step >= rough * 0.999)!
  const step = integers ? Math.max(1, round) : round
  const count = Math.max(1, Math.ceil((max / step) * 0.999))
  // Multiplied and rounded, because 0.1 + 0.2 is not 0.3.
  const ticks = Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(6)))
  return { top: ticks.at(-1)!, ticks }
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' })
/** `60,000` */
const longCount = (count: number) => count.toLocaleString('en')

/** `60K` */
const shortCount = (count: number) => compact.format(count)

/** `500 ms`, `1.5 s` */
const shortMs = (ms: number) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`)

interface Shown {
  minutes: Minutes
  steps: readonly Step[]
}

/** The range of the current rate. */
const RATE_SECONDS = 10

const sum = (steps: readonly Step[], what: 'requests' | 'failures') =>
  steps.reduce((total, step) => total + step[what], 0)

/** Requests and failures, one bar per step. */
function RateChart({ minutes, steps }: Shown) {
  const { top, ticks } = scaleTo(Math.max(...steps.map(({ requests }) => requests)), { integers: true })
  // Without the current second.
  const perSecond = sum(stepsOf(1).slice(-1 - RATE_SECONDS, -1), 'requests') / RATE_SECONDS
  const bar = (i: number, count: number, kind: string, gap: number) => {
    const tall = (count / top) * HEIGHT
    const [x, width] = [i * STEP_WIDTH + gap, STEP_WIDTH - 2 * gap]
    return <rect class={`bar ${kind}`} x={x} width={width} y={HEIGHT - tall} height={tall} />
  }
  return (
    <Chart
      label={`Requests over ${lastOf(minutes)}`}
      caption={
        <>
          <strong class="number">{perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}</strong> requests/s in
          the last {RATE_SECONDS} s
          <span class="muted number">
            {' '}
            · {longCount(sum(steps, 'requests'))} in {lastOf(minutes)}, {longCount(sum(steps, 'failures'))} failed
          </span>
        </>
      }
      legend={[
        ['bars', 'requests'],
        ['bars bad', 'failed'],
      ]}
      unit={minutes === 1 ? 'requests per second' : `requests per ${minutes} s`}
      minutes={minutes}
      steps={steps}
      ticks={ticks}
      tick={shortCount}
      describe={({ requests, failures }) => [
        counted(requests, 'request').replace(String(requests), longCount(requests)),
        `${longCount(failures)} failed`,
      ]}
    >
      {steps.map(({ at, requests, failures }, i) =>
        requests === 0 ? null : (
          <g key={at}>
            {bar(i, requests, '', 1)}
            {failures > 0 && bar(i, failures, 'bad', 3)}
          </g>
        ),
      )}
    </Chart>
  )
}

const PERCENTILES = [
  ['p50', 'median'],
  ['p95', 'p95'],
] as const
const percentilesOf = (steps: readonly Step[]) => percentiles(steps, [0.5, 0.95])

/** Steps without requests leave a gap. */
const lineOf = (points: readonly [x: number, y: number][]) =>
  points
    .map(([x, y], i) => `${i === 0 || x - points[i - 1]![0] > STEP_WIDTH * 2 ? 'M' : 'L'}${x} ${y.toFixed(1)}`)
    .join('')

/** The median and 95th percentile latency. */
function LatencyChart({ minutes, steps }: Shown) {
  const values = steps.map(step => percentilesOf([step]))
  const [p50, p95] = percentilesOf(steps)
  const { top, ticks } = scaleTo(Math.max(1, ...values.flat().map(value => value ?? 0)))
  return (
    <Chart
      label={`Latency over ${lastOf(minutes)}`}
      caption={
        <>
          <strong class="number">{formatMs(p50)}</strong> median latency
          <span class="muted number"> · p95 {formatMs(p95)}</span>
        </>
      }
      legend={PERCENTILES.map(([key, name]) => [key, name])}
      unit="latency"
      minutes={minutes}
      steps={steps}
      ticks={ticks}
      tick={shortMs}
      describe={step => {
        const found = percentilesOf([step])
        if (found[0] === undefined) return [step.requests === 0 ? 'no requests' : 'no responses']
        return PERCENTILES.map(([, name], i) => `${name} ${formatMs(found[i])}`)
      }}
    >
      {PERCENTILES.map(([key], p) => {
        const points = values.flatMap((each, i): [number, number][] =>
          each[p] === undefined ? [] : [[(i + 0.5) * STEP_WIDTH, HEIGHT - (each[p] / top) * HEIGHT]],
        )
        return (
          <g key={key} class={key}>
            <path d={lineOf(points)} vector-effect="non-scaling-stroke" />
            {points.map(([x, y]) => (
              <line key={x} class="point" x1={x} x2={x} y1={y} y2={y} vector-effect="non-scaling-stroke" />
            ))}
          </g>
        )
      })}
    </Chart>
  )
}

const isWindow = (minutes: number): minutes is Minutes => WINDOWS.some(each => each === minutes)

const CHOICES = WINDOWS.map(minutes => [String(minutes), `${minutes} min`] as const)

/** When the data starts, if later than the chart. */
function dataStart({ minutes, steps }: Shown): number | undefined {
  const { opened, loaded } = countedSince.value
  // With a simulated clock, the times in the journal are not real times.
  const since = clock.value?.real === false ? opened : loaded
  return since > steps[0]!.at + STEPS * stepMs(minutes) * 0.02 ? since : undefined
}

/** Recent traffic: requests counted since the dashboard was opened, and the loaded journal. */
export function Charts() {
  const requested = Number(place.value.query.minutes)
  const minutes = isWindow(requested) ? requested : 1
  const shown = { minutes, steps: stepsOf(minutes) }
  const since = dataStart(shown)
  return (
    <Section
      title="Traffic"
      class="span"
      actions={
        <>
          {since !== undefined && (
            <span class="muted small-text number" title="Earlier requests aren't included">
              since {dayTime(new Date(since))}
            </span>
          )}
          <Segments
            label="Chart range"
            value={String(minutes)}
            choices={CHOICES}
            onChange={chosen => amendQuery({ minutes: chosen === '1' ? undefined : chosen })}
          />
        </>
      }
    >
      {sum(shown.steps, 'requests') === 0 ? (
        <p class="muted chart-none">No requests in {lastOf(minutes)}</p>
      ) : (
        <div class="charts">
          <RateChart {...shown} />
          <LatencyChart {...shown} />
        </div>
      )}
    </Section>
  )
}
