import { Rows } from '../../parts/rows.tsx'
import { formatMs } from '../../parts/status.tsx'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { type Line, linesOf, NONE } from './operation-lines.ts'
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
    <Rows<Line>
      label="Operations"
      class="statistic-rows"
      rows={lines}
      keyOf={line => line.operation}
      sort={{ param: 'stat', value: stat }}
      columns={COLUMNS.map(([column, label]) => ({
        name: column,
        label,
        sort: column === 'operation' ? 'up' : 'down',
        class: column === 'operation' ? 'clip mono' : 'number',
        cell: (line, link) =>
          column === 'operation' ? (
            <a href={hrefTo(['requests'], { ...query, by: undefined, operation: line.operation })} {...link}>
              {cellOf(line, column)}
            </a>
          ) : (
            cellOf(line, column)
          ),
      }))}
    />
  )
}
