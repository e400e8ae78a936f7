import { signal } from '@preact/signals'
import type { ListedEntry } from '../types.ts'
import { hasFailed } from './failure.ts'
import { sorted, sumOf } from './lists.ts'

/** The requests in one step of a chart. */
export interface Step {
  /** Start of the step, in milliseconds. */
  at: number
  requests: number
  failures: number
  /** Latencies in milliseconds: all, or a random sample. */
  latencies: number[]
  /** Number of latencies before sampling. */
  measured: number
}

/** Chart ranges in minutes. A range has 60 steps, so a step of an n-minute chart is n seconds. */
export const WINDOWS = [1, 5, 15, 60] as const
export type Minutes = (typeof WINDOWS)[number]
export const STEPS = 60
export const stepMs = (minutes: Minutes) => minutes * 1000

/** Maximum latencies stored per step, to limit memory. */
const MAX_SAMPLE = 128
/** Ids are remembered, so entries of a reloaded journal aren't counted twice. Of more ids, the older half is forgotten. */
const MAX_IDS = 8_000

const windows = new Map(WINDOWS.map(minutes => [minutes, new Map<number, Step>()]))
let counted = new Set<string>()

/** When counting started, and the time from which the loaded journal is complete. */
export const countedSince = signal({ opened: Date.now(), loaded: Date.now() })

/** The current time of the charts, updated every second. */
const chartTime = signal(Date.now())

const emptyStep = (at: number): Step => ({ at, requests: 0, failures: 0, latencies: [], measured: 0 })

/** Counts a request at a real time. Ignores times outside the last hour, which a sandbox clock may produce. */
export function countEntry(entry: ListedEntry, when: number) {
  const now = Date.now()
  if (when > now || when <= now - STEPS * stepMs(60)) return
  if (counted.has(entry.id)) return
  if (counted.size === MAX_IDS) counted = new Set([...counted].slice(MAX_IDS / 2))
  counted.add(entry.id)
  for (const [minutes, steps] of windows) {
    const at = Math.floor(when / stepMs(minutes)) * stepMs(minutes)
    const step = steps.get(at) ?? emptyStep(at)
    addTo(step, entry)
    steps.set(at, step)
  }
}

function addTo(step: Step, entry: ListedEntry) {
  const { duration_ms } = entry
  step.requests++
  if (hasFailed(entry)) step.failures++
  if (duration_ms === null) return
  step.measured++
  // Reservoir sampling: every latency is in the sample with equal probability.
  const place = step.measured <= MAX_SAMPLE ? step.measured - 1 : Math.floor(Math.random() * step.measured)
  if (place < MAX_SAMPLE) step.latencies[place] = duration_ms
}

/** Counts a loaded journal, newest first. `complete`: no request is missing. */
export function countJournal(entries: readonly ListedEntry[], complete: boolean) {
  for (const entry of entries) countEntry(entry, Date.parse(entry.at))
  const { opened, loaded } = countedSince.value
  const oldest = entries.at(-1) ? Date.parse(entries.at(-1)!.at) : loaded
  countedSince.value = { opened, loaded: complete ? 0 : Math.min(loaded, oldest) }
  updateCounts()
}

export function clearCounts() {
  for (const steps of windows.values()) steps.clear()
  counted.clear()
  countedSince.value = { opened: Date.now(), loaded: Date.now() }
  updateCounts()
}

/** Moves the charts forward and discards expired steps. */
export function updateCounts() {
  const now = Date.now()
  for (const [minutes, steps] of windows)
    for (const at of steps.keys()) if (at < now - (STEPS + 1) * stepMs(minutes)) steps.delete(at)
  chartTime.value = now
}

/** The steps of a chart, oldest first. */
export function stepsOf(minutes: Minutes): readonly Step[] {
  const ms = stepMs(minutes)
  const newest = Math.floor(chartTime.value / ms) * ms
  const steps = windows.get(minutes)!
  return Array.from({ length: STEPS }, (_, i) => {
    const at = newest - (STEPS - 1 - i) * ms
    return steps.get(at) ?? emptyStep(at)
  })
}

/** The median and the 95th percentile of the latencies. Samples are weighted by their step. */
export function percentilesOf(steps: readonly Step[]): (number | undefined)[] {
  const samples = steps.flatMap(({ latencies, measured }) =>
    latencies.map(ms => ({ ms, weight: measured / latencies.length })),
  )
  const ascending = sorted(samples, ({ ms }) => ms)
  const all = sumOf(samples, ({ weight }) => weight)
  return [0.5, 0.95].map(share => {
    let before = 0
    const found = ascending.find(({ weight }) => {
      before += weight
      return before > all * share
    })
    return (found ?? ascending.at(-1))?.ms
  })
}
