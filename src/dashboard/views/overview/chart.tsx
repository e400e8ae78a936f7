import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Minutes, STEPS, type Step, stepMs } from '../../state/last-hour.ts'

/** SVG units. The chart is stretched to its container. */
const WIDTH = 600
export const HEIGHT = 120
export const STEP_WIDTH = WIDTH / STEPS

const agoOf = (minutes: number) => (minutes === 1 ? '60 s' : `${minutes} min`)
export const lastOf = (minutes: number) => (minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`)

interface Props {
  label: string
  caption: ComponentChildren
  legend: [key: string, name: string][]
  minutes: Minutes
  steps: readonly Step[]
  ticks: readonly number[]
  tick(value: number): string
  unit: string
  /** Tooltip lines. */
  describe(step: Step): string[]
  children: ComponentChildren
}

/** `12:03:05 UTC`, or `12:03:05–12:03:10 UTC` */
function timeOf(at: number, ms: number): string {
  const clock = (time: number) => new Date(time).toISOString().slice(11, 19)
  return `${ms === 1000 ? clock(at) : `${clock(at)}–${clock(at + ms)}`} UTC`
}

/** Target index per key. */
const MOVES: Record<string, (from: number, last: number) => number> = {
  ArrowLeft: from => from - 1,
  ArrowRight: from => from + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** A chart over time. The pointer and arrow keys show the values of a step. */
export function Chart({ label, caption, legend, minutes, steps, ticks, tick, unit, describe, children }: Props) {
  const activeAt = useSignal<number | undefined>(undefined)
  const caption_id = useId()
  const points = steps.filter(({ requests }) => requests > 0)
  const top = ticks.at(-1)!
  const at = steps.findIndex(step => step.at === activeAt.value)
  const step = steps[at]
  const linesFor = ({ at }: Step) => [timeOf(at, stepMs(minutes)), ...describe(steps.find(each => each.at === at)!)]

  function point({ clientX, currentTarget }: MouseEvent) {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    const i = Math.min(STEPS - 1, Math.max(0, Math.floor(((clientX - left) / width) * STEPS)))
    activeAt.value = steps[i]!.at
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Escape' && step) {
      activeAt.value = undefined
      return event.preventDefault()
    }
    const move = MOVES[event.key]
    if (!move) return
    event.preventDefault()
    const last = points.length - 1
    const from = points.findIndex(each => each.at === activeAt.value)
    activeAt.value = points[Math.min(last, Math.max(0, from < 0 ? last : move(from, last)))]!.at
  }
  const leave = () => {
    activeAt.value = undefined
  }

  const shown = step ?? points.at(-1)!
  return (
    <figure class="chart" aria-labelledby={caption_id}>
      <figcaption id={caption_id}>{caption}</figcaption>
      <div class="chart-legend small-text">
        <span class="muted">{unit}</span>
        <ul>
          {legend.map(([key, name]) => (
            <li key={key}>
              <span class={`key ${key}`} /> {name}
            </li>
          ))}
        </ul>
      </div>
      <div class="chart-body">
        <ol class="chart-axis number" aria-hidden="true">
          {ticks.map(value => (
            <li key={value} style={{ bottom: `${(value / top) * 100}%` }}>
              {tick(value)}
            </li>
          ))}
        </ol>
        <div
          class="chart-plot"
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={steps[0]!.at}
          aria-valuemax={steps.at(-1)!.at}
          aria-valuenow={shown.at}
          aria-valuetext={linesFor(shown).join(', ')}
          onPointerMove={point}
          onPointerLeave={leave}
          onKeyDown={press}
          onFocus={event => {
            if ((event.currentTarget as Element).matches(':focus-visible')) activeAt.value = points.at(-1)!.at
          }}
          onBlur={leave}
        >
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {ticks.map(value => (
              <line
                key={value}
                class={value === 0 ? 'ground' : 'gridline'}
                x2={WIDTH}
                y1={HEIGHT - (value / top) * HEIGHT}
                y2={HEIGHT - (value / top) * HEIGHT}
                vector-effect="non-scaling-stroke"
              />
            ))}
            {step && <rect class="told" x={at * STEP_WIDTH} width={STEP_WIDTH} height={HEIGHT} />}
            {children}
          </svg>
          {step && (
            <div
              class={`tooltip number ${at < STEPS / 2 ? '' : 'left'}`}
              style={{ left: `${((at + (at < STEPS / 2 ? 1 : 0)) / STEPS) * 100}%` }}
              aria-hidden="true"
            >
              {linesFor(step).map(line => (
                <span key={line}>{line}</span>
              ))}
            </div>
          )}
        </div>
        <div class="chart-scale muted number" aria-hidden="true">
          <span>{agoOf(minutes)} ago</span>
          <span>now</span>
        </div>
      </div>
    </figure>
  )
}
