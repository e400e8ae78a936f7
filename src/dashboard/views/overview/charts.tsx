import { Segments } from '../../parts/inputs.tsx'
import { Section } from '../../parts/section.tsx'
import { dayTime, formatMs } from '../../parts/status.tsx'
import { countedSince, percentilesOf, STEPS, type Step, stepMs, stepsOf, WINDOWS } from '../../state/last-hour.ts'
import { sumOf } from '../../state/lists.ts'
import { amendQuery, place } from '../../state/place.ts'
import { clock } from '../../state/simulator.ts'
import { Chart, HEIGHT, lastOf, type Shown, STEP_WIDTH } from './chart.tsx'

/** `60,000` */
const longCount = (count: number) => count.toLocaleString('en')

/** `60K` */
const shortCount = new Intl.NumberFormat('en', { notation: 'compact' }).format

/** `500 ms`, `1.5 s` */
const shortMs = (ms: number) => (ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`)

/** The range of the current rate. */
const RATE_SECONDS = 10

const requestsIn = (steps: readonly Step[]) => sumOf(steps, ({ requests }) => requests)

/** Requests and failures, one bar per step. */
function RateChart(shown: Shown) {
  const { minutes, steps } = shown
  const failed = sumOf(steps, ({ failures }) => failures)
  // Without the current second.
  const perSecond = requestsIn(stepsOf(1).slice(-1 - RATE_SECONDS, -1)) / RATE_SECONDS
  const bar = (i: number, y: number, kind: string, gap: number) => (
    <rect class={`bar ${kind}`} x={i * STEP_WIDTH + gap} width={STEP_WIDTH - 2 * gap} y={y} height={HEIGHT - y} />
  )
  return (
    <Chart
      name="Requests"
      caption={[
        perSecond >= 10 ? String(Math.round(perSecond)) : perSecond.toFixed(1),
        `requests/s in the last ${RATE_SECONDS} s`,
        `${longCount(requestsIn(steps))} in ${lastOf(minutes)}, ${longCount(failed)} failed`,
      ]}
      legend={[
        ['bars', 'requests'],
        ['bars bad', 'failed'],
      ]}
      unit={minutes === 1 ? 'requests per second' : `requests per ${minutes} s`}
      {...shown}
      most={Math.max(...steps.map(({ requests }) => requests))}
      tick={shortCount}
      describe={({ requests, failures }) => [
        `${longCount(requests)} ${requests === 1 ? 'request' : 'requests'}`,
        `${longCount(failures)} failed`,
      ]}
      draw={y => [
        steps.map(({ requests }, i) => requests > 0 && bar(i, y(requests), '', 1)),
        steps.map(({ failures }, i) => failures > 0 && bar(i, y(failures), 'bad', 3)),
      ]}
    />
  )
}

const PERCENTILES = [
  ['p50', 'median'],
  ['p95', 'p95'],
] as const

/** Steps without requests leave a gap. */
const lineOf = (points: readonly [x: number, y: number][]) =>
  points
    .map(([x, y], i) => `${i === 0 || x - points[i - 1]![0] > STEP_WIDTH * 2 ? 'M' : 'L'}${x} ${y.toFixed(1)}`)
    .join('')

/** The median and 95th percentile latency. */
function LatencyChart(shown: Shown) {
  const { steps } = shown
  const values = steps.map(step => percentilesOf([step]))
  const [p50, p95] = percentilesOf(steps)
  return (
    <Chart
      name="Latency"
      caption={[formatMs(p50), 'median latency', `p95 ${formatMs(p95)}`]}
      legend={PERCENTILES}
      unit="latency"
      {...shown}
      most={Math.max(...values.flat().map(value => value ?? 0))}
      tick={shortMs}
      describe={step => {
        const found = percentilesOf([step])
        if (found[0] === undefined) return [step.requests === 0 ? 'no requests' : 'no responses']
        return PERCENTILES.map(([, name], i) => `${name} ${formatMs(found[i])}`)
      }}
      draw={y =>
        PERCENTILES.map(([key], p) => {
          const points = values.flatMap((each, i): [number, number][] =>
            each[p] === undefined ? [] : [[(i + 0.5) * STEP_WIDTH, y(each[p])]],
          )
          return (
            <g key={key} class={key}>
              <path d={lineOf(points)} />
              <path class="point" d={points.map(([x, y]) => `M${x} ${y}h0`).join('')} />
            </g>
          )
        })
      }
    />
  )
}

const CHOICES = WINDOWS.map(minutes => [String(minutes), `${minutes} min`] as const)

/** Recent traffic: requests counted since the dashboard was opened, and the loaded journal. */
export function Charts() {
  const minutes = WINDOWS.find(each => String(each) === place.value.query.minutes) ?? 1
  const shown = { minutes, steps: stepsOf(minutes) }
  const { opened, loaded } = countedSince.value
  // With a simulated clock, the times in the journal are not real times.
  const since = clock.value?.real === false ? opened : loaded
  const isPartial = since > shown.steps[0]!.at + STEPS * stepMs(minutes) * 0.02
  return (
    <Section
      title="Traffic"
      class="span"
      actions={
        <>
          {isPartial && (
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
      {requestsIn(shown.steps) === 0 ? (
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
