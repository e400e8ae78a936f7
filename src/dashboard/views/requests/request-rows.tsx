import { Icon } from '../../parts/icon.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { durationOf, formatMs, Method, Status, timeOf } from '../../parts/status.tsx'
import { searchOf } from '../../snippets/sendable.ts'
import { reasonOf } from '../../state/failure.ts'
import { isOwn } from '../../state/journal.ts'
import { sorted } from '../../state/lists.ts'
import { shownJournal, showsAll } from '../../state/live.ts'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { FILTER_NAMES, type Line, linesOf, NONE, sortOf } from './entries.ts'

function Notes({ entry }: { entry: ListedEntry }) {
  const fired = entry.rules.filter(rule => rule.fired)
  return (
    <>
      {shownJournal.value.isDropped(entry) && <span class="tag quiet">dropped</span>}
      {fired.length > 0 && (
        <span class="tag warn" title={fired.map(({ name, effect }) => `${name}: ${effect}`).join('\n')}>
          <Icon name="scenario" /> rule
        </span>
      )}
      {entry.change && <span class="tag">✎ change</span>}
      {entry.warnings.length > 0 && <span class="tag warn">! warning</span>}
      {isOwn(entry) && <span class="tag quiet">dashboard</span>}
    </>
  )
}

const COLUMNS: Column<ListedEntry>[] = [
  { name: 'time', sort: 'down', class: 'number muted', cell: ({ at }) => timeOf(at) },
  { name: 'status', sort: 'down', cell: entry => <Status {...entry} /> },
  { name: 'method', sort: 'up', cell: entry => <Method {...entry} /> },
  {
    name: 'path',
    sort: 'up',
    cell: (entry, link) => (
      <>
        <a class="clip" href={hrefTo(['requests', entry.id], place.value.query)} {...link}>
          {entry.path}
          <span class="muted">{searchOf(entry)}</span>
        </a>
        <span class="reason muted clip" title={reasonOf(entry)}>
          {reasonOf(entry)}
        </span>
      </>
    ),
  },
  { name: 'took', sort: 'down', class: 'number muted', cell: durationOf },
  { name: 'caller', sort: 'up', class: 'clip muted', cell: ({ caller }) => caller?.id ?? '–' },
  { name: 'sandbox', sort: 'up', class: 'clip', cell: ({ sandbox }) => sandbox },
  { name: 'notes', cell: entry => <Notes entry={entry} /> },
]

export function RequestRows({ shown }: { shown: readonly ListedEntry[] }) {
  const { parts, query } = place.value
  const all = showsAll.value
  return (
    <Rows
      key={[...FILTER_NAMES.map(name => query[name]), all].join(' ')}
      label="Requests"
      class={`request-rows ${all ? 'of-all' : ''}`}
      rows={shown}
      keyOf={entry => entry.id}
      selected={parts[0]}
      sort={{ param: 'sort', value: sortOf(query) }}
      columns={COLUMNS.filter(({ name }) => all || name !== 'sandbox')}
    />
  )
}

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
