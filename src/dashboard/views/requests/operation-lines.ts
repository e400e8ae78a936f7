import { hasFailed } from '../../state/failure.ts'
import { groupBy } from '../../state/lists.ts'
import type { ListedEntry } from '../../types.ts'

/** Requests without a matching route. */
export const NONE = 'none'

/** The statistics of each operation. */
export const linesOf = (entries: readonly ListedEntry[]) =>
  [...groupBy(entries, ({ operation }) => operation ?? NONE)].map(([operation, group]) => {
    const times = group.flatMap(({ duration_ms }) => duration_ms ?? []).sort((a, b) => a - b)
    const percentile = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)]
    const errors = group.filter(hasFailed).length
    return {
      operation,
      count: group.length,
      errors,
      share: errors / group.length,
      p50: percentile(0.5),
      p95: percentile(0.95),
      slowest: times.at(-1),
    }
  })

export type Line = ReturnType<typeof linesOf>[number]
