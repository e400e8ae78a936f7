import { signal } from '@preact/signals'
import type { ListedEntry } from '../types.ts'

/** What happened within one step of a chart. */
export interface Step {
  /** When it began, in milliseconds. */
  at: number
  requests: number
  failures: number
  /** Latencies in milliseconds: all of them, or as many as a fair sample needs. */
  latencies: number[]
  /** How many latencies there were. */
  measured: number
}

/** How many minutes a chart can show. Each is divided into 60 steps, so a step has as many seconds as that. */
export const WINDOWS = [1, 5, 15, 60] as const
export type Minutes = (typeof WINDOWS)[number]
export const STEPS = 60

/** More latencies than this in one step are sampled, so that an hour of many requests takes little memory. */
const SAMPLE = 128
/** The journal may be loaded again: what was counted of it is not counted twice. So many ids at least are known. */
const REMEMBERED = 4_000

let windows = emptyWindows()
let counted = new Set<string>()
let countedBefore = new Set<string>()

/** When counting began, and since when the journal that was loaded has everything. */
export const countedSince = signal({ opened: Date.now(), loaded: Date.now() })

/** The time of the charts: grows every second. */
const chartTime = signal(Date.now())

function emptyWindows() {
  return new Map(WINDOWS.map(minutes => [minutes, new Map<number, Step>()]))
}

export const stepMs = (minutes: Minutes) => minutes * 1000

const emptyStep = (at: number): Step => ({ at, requests: 0, failures: 0, latencies: [], measured: 0 })

/** Counts a request at a real time. What lies outside the last hour, as by the clock of a sandbox, is left out. */
export function countEntry(entry: ListedEntry, when: number) {
  const now = Date.now()
  if (when > now || when <= now - STEPS * stepMs(60)) return
  if (counted.has(entry.id) || countedBefore.has(entry.id)) return
  if (counted.size === REMEMBERED) {
    countedBefore = counted
    counted = new Set()
  }
  counted.add(entry.id)
  for (const [minutes, steps] of windows) {
    const at = Math.floor(when / stepMs(minutes)) * stepMs(minutes)
    const step = steps.get(at) ?? emptyStep(at)
    addTo(step, entry)
    steps.set(at, step)
  }
}

function addTo(step: Step, { status, duration_ms }: ListedEntry) {
  step.requests++
  if (status === null || status >= 400) step.failures++
  if (duration_ms === null) return
  step.measured++
  if (step.latencies.length < SAMPLE) step.latencies.push(duration_ms)
  else {
    // Each of all so far is in the sample with the same probability.
    const place = Math.floor(Math.random() * step.measured)
    if (place < SAMPLE) step.latencies[place] = duration_ms
  }
}

/** Counts the journal as it was loaded, newest first. `whole`: it has every request there was. */
export function countJournal(entries: readonly ListedEntry[], whole: boolean) {
  for (const entry of entries) countEntry(entry, Date.parse(entry.at))
  const oldest = entries.length > 0 ? Date.parse(entries.at(-1)!.at) : Number.POSITIVE_INFINITY
  const { opened, loaded } = countedSince.value
  countedSince.value = { opened, loaded: whole ? 0 : Math.min(loaded, oldest) }
  updateCounts()
}

export function clearCounts() {
  windows = emptyWindows()
  counted = new Set()
  countedBefore = new Set()
  countedSince.value = { opened: Date.now(), loaded: Date.now() }
  updateCounts()
}

/** Moves the charts on, and forgets what has left them. */
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

/** The latencies that such shares of the requests did not exceed. A sample stands for all latencies of its step. */
export function percentiles(steps: readonly Step[], shares: readonly number[]): (number | undefined)[] {
  const weighed = steps.flatMap(({ latencies, measured }) =>
    latencies.map((ms): [ms: number, weight: number] => [ms, measured / latencies.length]),
  )
  weighed.sort(([a], [b]) => a - b)
  const all = weighed.reduce((sum, [, weight]) => sum + weight, 0)
  return shares.map(share => {
    let before = 0
    const found = weighed.find(([, weight]) => {
      before += weight
      return before > all * share
    })
    return (found ?? weighed.at(-1))?.[0]
  })
}
