import { Icon } from '../../parts/icon.tsx'
import { type Column, Rows } from '../../parts/rows.tsx'
import { durationOf, Method, Status, timeOf } from '../../parts/status.tsx'
import { searchOf } from '../../snippets/sendable.ts'
import { reasonOf } from '../../state/failure.ts'
import { isOwn } from '../../state/journal.ts'
import { showsAll } from '../../state/live.ts'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { FILTER_NAMES, sortOf } from './entries.ts'
import { shownJournal } from './search.ts'

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
