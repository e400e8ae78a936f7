import { Icon } from '../../parts/icon.tsx'
import { durationOf, Method, Status, shortTime } from '../../parts/status.tsx'
import { VirtualRows } from '../../parts/virtual-rows.tsx'
import { isOwn, type Journal } from '../../state/journal.ts'
import { hrefTo, place } from '../../state/place.ts'
import type { ListedEntry } from '../../types.ts'
import { FILTER_NAMES } from './filter.ts'
import { searchOf } from './sendable.ts'
import { SortHeading } from './sort-heading.tsx'
import { type Column, sortOf } from './sorting.ts'

/** The first click sorts these columns in descending order. */
const DESCENDING_FIRST: Column[] = ['time', 'status', 'took']
const COLUMNS: Column[] = ['time', 'status', 'method', 'path', 'took', 'caller']

interface CellsProps {
  entry: ListedEntry
  tabIndex: number
  all: boolean
  dropped: boolean
}

function Cells({ entry, tabIndex, all, dropped }: CellsProps) {
  const fired = entry.rules.filter(rule => rule.fired)
  const search = searchOf(entry)
  return (
    <>
      <span role="cell" class="number muted c-time">
        {shortTime(entry.at)}
      </span>
      <span role="cell">
        <Status status={entry.status} />
      </span>
      <span role="cell">
        <Method method={entry.method} />
      </span>
      <span role="cell" class="clip mono c-path">
        <a href={hrefTo(['requests', entry.id], place.value.query)} data-row-link tabIndex={tabIndex}>
          {entry.path}
          {search && <span class="muted">{search}</span>}
        </a>
      </span>
      <span role="cell" class="number muted c-took">
        {durationOf(entry)}
      </span>
      <span role="cell" class="clip muted c-caller">
        {entry.caller?.id ?? '–'}
      </span>
      {all && (
        <span role="cell" class="clip c-sandbox" title={entry.sandbox}>
          {entry.sandbox}
        </span>
      )}
      <span role="cell" class="c-notes">
        {dropped && <span class="tag quiet">dropped</span>}
        {fired.length > 0 && (
          <span class="tag warn" title={fired.map(({ name, effect }) => `${name}: ${effect}`).join('\n')}>
            <Icon name="scenario" /> rule
          </span>
        )}
        {entry.change && <span class="tag">✎ change</span>}
        {entry.warnings.length > 0 && <span class="tag warn">! warning</span>}
        {isOwn(entry) && <span class="tag quiet">dashboard</span>}
      </span>
    </>
  )
}

interface Props {
  shown: readonly ListedEntry[]
  chosen: string | undefined
  journal: Journal
  all: boolean
}

export function RequestRows({ shown, chosen, journal, all }: Props) {
  const { query } = place.value
  const columns = all ? [...COLUMNS, 'sandbox' as const] : COLUMNS
  return (
    <VirtualRows
      key={[...FILTER_NAMES.map(name => query[name]), all].join(' ')}
      label="Requests"
      class={`request-rows ${all ? 'of-all' : ''}`}
      count={shown.length}
      rowHeight={34}
      keyOf={i => shown[i]!.id}
      selected={chosen}
      head={[
        ...columns.map(name => (
          <SortHeading
            key={name}
            name={name}
            sort={sortOf(query)}
            param="sort"
            descendingFirst={DESCENDING_FIRST.includes(name)}
          />
        )),
        <span key="notes" role="columnheader" class="c-notes">
          Notes
        </span>,
      ]}
      row={(i, tabIndex) => (
        <Cells entry={shown[i]!} tabIndex={tabIndex} all={all} dropped={journal.isDropped(shown[i]!)} />
      )}
    />
  )
}
