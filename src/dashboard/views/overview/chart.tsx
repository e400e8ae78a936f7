import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Minutes, STEPS, type Step, stepMs } from '../../state/last-hour.ts'
import { setter } from '../../state/signals.ts'

/** SVG units. The chart is stretched to its container. */
const WIDTH = 600
export const HEIGHT = 120
export const STEP_WIDTH = WIDTH / STEPS

export const lastOf = (minutes: number) => (minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`)

/** A scale from zero to `most` or 1, with up to five ticks at multiples of a round number. */
function ticksTo(most: number): number[] {
  const least = Math.max(1, most / 4)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= least)!
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, i) => i * step)
}

/** `12:03:05 UTC`, or `12:03:05–12:03:10 UTC` */
function timeOf(at: number, ms: number): string {
  const clock = (time: number) => new Date(time).toISOString().slice(11, 19)
  return `${ms === 1000 ? clock(at) : `${clock(at)}–${clock(at + ms)}`} UTC`
}

/** A chart's range and the requests in it, at least one. */
export interface Shown {
  minutes: Minutes
  steps: readonly Step[]
}

interface Props extends Shown {
  name: string
  /** The caption: a value, its meaning, and details. */
  caption: readonly [value: string, meaning: string, details: string]
  legend: readonly (readonly [key: string, name: string])[]
  unit: string
  /** The greatest value. */
  most: number
  tick(value: number): string
  /** Tooltip lines. */
  describe(step: Step): string[]
  draw(y: (value: number) => number): ComponentChildren
}

/** A chart over time. The pointer and arrow keys show the values of a step. */
export function Chart({ name, caption, legend, minutes, steps, most, tick, unit, describe, draw }: Props) {
  const [value, meaning, details] = caption
  const activeAt = useSignal<number | undefined>(undefined)
  const id = useId()
  const points = steps.filter(({ requests }) => requests > 0)
  const last = points.at(-1)!
  const ticks = ticksTo(most)
  const top = ticks.at(-1)!
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  const at = steps.findIndex(step => step.at === activeAt.value)
  const step = steps[at]
  const shown = step ?? last
  const lines = [timeOf(shown.at, stepMs(minutes)), ...describe(shown)]
  const leave = setter(activeAt, undefined)

  function point({ clientX, currentTarget }: MouseEvent) {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    activeAt.value = steps[Math.floor(((clientX - left) / width) * STEPS)]?.at
  }
  function press(event: KeyboardEvent) {
    const active = step?.at ?? Number.POSITIVE_INFINITY
    const targets: Record<string, Step | undefined> = {
      ArrowLeft: points.findLast(({ at }) => at < active) ?? points[0],
      ArrowRight: points.find(({ at }) => at > active) ?? last,
      Home: points[0],
      End: last,
      ...(step && { Escape: undefined }),
    }
    if (!(event.key in targets)) return
    event.preventDefault()
    activeAt.value = targets[event.key]?.at
  }

  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <strong class="number">{value}</strong> {meaning}
        <span class="muted number"> · {details}</span>
      </figcaption>
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
          aria-label={`${name} over ${lastOf(minutes)}`}
          aria-valuemin={steps[0]!.at}
          aria-valuemax={steps.at(-1)!.at}
          aria-valuenow={shown.at}
          aria-valuetext={lines.join(', ')}
          onPointerMove={point}
          onPointerLeave={leave}
          onKeyDown={press}
          onFocus={event => {
            if ((event.currentTarget as Element).matches(':focus-visible')) activeAt.value = last.at
          }}
          onBlur={leave}
        >
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {ticks.map(value => (
              <line key={value} class={value === 0 ? 'ground' : 'gridline'} x2={WIDTH} y1={y(value)} y2={y(value)} />
            ))}
            {step && <rect class="active-step" x={at * STEP_WIDTH} width={STEP_WIDTH} height={HEIGHT} />}
            {draw(y)}
          </svg>
          {step && (
            <div
              class={`tooltip number ${at < STEPS / 2 ? '' : 'left'}`}
              style={{ left: `${((at + (at < STEPS / 2 ? 1 : 0)) / STEPS) * 100}%` }}
              aria-hidden="true"
            >
              {lines.map(line => (
                <span key={line}>{line}</span>
              ))}
            </div>
          )}
        </div>
        <div class="chart-scale muted number" aria-hidden="true">
          <span>{minutes === 1 ? '60 s' : `${minutes} min`} ago</span>
          <span>now</span>
        </div>
      </div>
    </figure>
  )
}
