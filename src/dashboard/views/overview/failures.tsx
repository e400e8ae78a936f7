import { Empty } from '../../parts/messages.tsx'
import { Status } from '../../parts/status.tsx'
import { entries } from '../../state/journal.ts'
import { hrefTo } from '../../state/place.ts'
import { failureOf } from '../requests/filter.ts'

interface Group {
  kind: string
  status: number | null
  count: number
}

/** Errors grouped by the check or rule that caused them. */
export function Failures() {
  const groups = new Map<string, Group>()
  for (const entry of entries.value) {
    const kind = failureOf(entry)
    if (kind === undefined) continue
    const key = `${entry.status} ${kind}`
    const group = groups.get(key) ?? { kind, status: entry.status, count: 0 }
    group.count++
    groups.set(key, group)
  }
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, 12)
  const max = sorted[0]?.count ?? 1
  if (sorted.length === 0)
    return (
      <Empty icon="check" title="No errors">
        None of the {entries.value.length} logged requests failed.
      </Empty>
    )
  return (
    <ul class="failures">
      {sorted.map(({ kind, status, count }) => (
        <li key={`${status} ${kind}`}>
          <a href={hrefTo(['requests'], { kind })}>
            <Status status={status} />
            <span class="grow clip">{kind.replaceAll('_', ' ')}</span>
            <span class="number">{count}</span>
          </a>
          <meter
            class={status !== null && status < 500 ? 'warn' : ''}
            min={0}
            max={max}
            value={count}
            aria-label={`${count} errors of type ${kind}`}
          />
        </li>
      ))}
    </ul>
  )
}
