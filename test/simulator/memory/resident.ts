import { readFileSync } from 'node:fs'

/** The resident memory in MB, or null if the system does not report it. */
function residentMB(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
  } catch {
    return null
  }
}

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!

export function memoryOf(pid: number) {
  const samples: number[] = []
  return {
    samples,
    sample() {
      const now = residentMB(pid)
      if (now !== null) samples.push(now)
      return now === null ? '? MB' : `${Math.round(now)} MB`
    },
    /** From the samples after `from` to the last samples, or 0 if unknown. */
    growth(from: number, several = 5) {
      if (samples.length < from + several) return 0
      return median(samples.slice(-several)) - median(samples.slice(from, from + several))
    },
  }
}
