import { type Column, Rows } from '../../parts/rows.tsx'
import { formatMs } from '../../parts/status.tsx'
import { sorted } from '../../state/lists.ts'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { type Line, linesOf, NONE } from './entries.ts'

const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`

const numbers = (
  [
    ['count', 'Requests', ({ count }) => count.toLocaleString('en')],
    ['errors', 'Errors', ({ errors }) => errors.toLocaleString('en')],
    ['share', 'Error %', ({ share }) => percent(share)],
    ['p50', 'p50', ({ p50 }) => formatMs(p50)],
    ['p95', 'p95', ({ p95 }) => formatMs(p95)],
    ['slowest', 'Slowest', ({ slowest }) => formatMs(slowest)],
  ] as [keyof Line, string, (line: Line) => string][]
).map(([name, label, cell]): Column<Line> => ({ name, label, cell, sort: 'down', class: 'number' }))

const OPERATION: Column<Line> = {
  name: 'operation',
  label: 'Operation',
  sort: 'up',
  class: 'clip mono',
  cell: ({ operation }, link) => (
    <a href={hrefTo(['requests'], { ...place.value.query, by: undefined, operation })} {...link}>
      {operation === NONE ? 'No route' : operation}
    </a>
  ),
}

/** Statistics per operation of the shown requests. */
export function Statistics({ shown }: { shown: readonly ListedEntry[] }) {
  const { stat = '-count' } = place.value.query
  const name = stat.replace('-', '') as keyof Line
  return (
    <Rows<Line>
      label="Operations"
      class="statistic-rows"
      rows={sorted(linesOf(shown), line => line[name] ?? -1, stat.startsWith('-'))}
      keyOf={line => line.operation}
      sort={{ param: 'stat', value: stat }}
      columns={[OPERATION, ...numbers]}
    />
  )
}
