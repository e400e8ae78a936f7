import { formatMs } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { type Line, linesOf, NONE } from './operation-lines.ts'
import { SortHeading } from './sort-heading.tsx'
import { sorted } from './sorting.ts'

const COLUMNS: [name: keyof Line, label: string][] = [
  ['operation', 'Operation'],
  ['count', 'Requests'],
  ['errors', 'Errors'],
  ['share', 'Error %'],
  ['p50', 'p50'],
  ['p95', 'p95'],
  ['slowest', 'Slowest'],
]

const time = (ms: number | undefined) => (ms === undefined ? '–' : formatMs(ms))

function cellOf(line: Line, name: keyof Line): string {
  if (name === 'operation') return line.operation === NONE ? 'No route' : line.operation
  if (name === 'share') return `${(line.share * 100).toFixed(line.share > 0 && line.share < 0.1 ? 1 : 0)}%`
  return name === 'count' || name === 'errors' ? line[name].toLocaleString('en') : time(line[name])
}

/** Statistics per operation of the shown requests. */
export function Statistics({ shown }: { shown: readonly ListedEntry[] }) {
  const { query } = place.value
  const { stat = '-count' } = query
  const name = stat.replace('-', '') as keyof Line
  const lines = sorted(linesOf(shown), line => line[name] ?? -1, stat.startsWith('-'))
  return (
    <VirtualRows
      label="Operations"
      class="statistic-rows"
      count={lines.length}
      rowHeight={34}
      keyOf={i => lines[i]!.operation}
      head={COLUMNS.map(([column, label]) => (
        <SortHeading
          key={column}
          name={column}
          label={label}
          sort={stat}
          param="stat"
          descendingFirst={column !== 'operation'}
        />
      ))}
      row={(i, tabIndex) =>
        COLUMNS.map(([column]) => (
          <span key={column} role="cell" class={column === 'operation' ? 'clip mono' : `number c-${column}`}>
            {column === 'operation' ? (
              <a
                href={hrefTo(['requests'], { ...query, by: undefined, operation: lines[i]!.operation })}
                data-row-link
                tabIndex={tabIndex}
              >
                {cellOf(lines[i]!, column)}
              </a>
            ) : (
              cellOf(lines[i]!, column)
            )}
          </span>
        ))
      }
    />
  )
}
