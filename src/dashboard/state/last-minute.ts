import { signal } from '@preact/signals'
import type { Entry } from '../types.ts'

/** What happened within one second. */
export interface Second {
  at: number
  requests: number
  failures: number
  latencies: number[]
}

const SECONDS = 60
let seconds = new Map<number, Second>()

/** Oldest second first; updated every second. */
export const lastMinute = signal(lastSeconds())

function lastSeconds(): readonly Second[] {
  const now = Math.floor(Date.now() / 1000)
  return Array.from({ length: SECONDS }, (_, i) => {
    const at = now - SECONDS + 1 + i
    return seconds.get(at) ?? { at, requests: 0, failures: 0, latencies: [] }
  })
}

export function countEntry(entry: Entry, when: number) {
  const at = Math.floor(when / 1000)
  const second = seconds.get(at) ?? { at, requests: 0, failures: 0, latencies: [] }
  second.requests++
  if (entry.status === null || entry.status >= 400) second.failures++
  if (entry.duration_ms !== null) second.latencies.push(entry.duration_ms)
  seconds.set(at, second)
}

export function clearLastMinute() {
  seconds = new Map()
  updateLastMinute()
}

export function updateLastMinute() {
  const oldest = Math.floor(Date.now() / 1000) - SECONDS * 2
  for (const at of seconds.keys()) if (at < oldest) seconds.delete(at)
  lastMinute.value = lastSeconds()
}

export function percentile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
