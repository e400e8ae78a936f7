import { useMemo } from 'preact/hooks'
import { Empty, Failure } from '../../parts/messages.tsx'
import { allJournal, isOwn, journal as ownJournal } from '../../state/journal.ts'
import { showsAll } from '../../state/live.ts'
import { place } from '../../state/place.ts'
import { clock, sandboxTime } from '../../state/simulator.ts'
import { EntryDetail } from './entry-detail.tsx'
import { FILTER_NAMES, matcher } from './filter.ts'
import { Filters } from './filters.tsx'
import { ListFoot } from './list-foot.tsx'
import { RequestRows } from './request-rows.tsx'
import { useSearch } from './search.ts'
import { sortEntries, sortOf } from './sorting.ts'
import { Statistics } from './statistics.tsx'

/** The filtered and sorted requests. */
function useShown() {
  const { query } = place.value
  const all = showsAll.value
  const journal = all ? allJournal : ownJournal
  const { found, searching, error } = useSearch(query.text, journal, all)
  const source = found ?? journal.entries.value
  // The clock is polled every few seconds, which moves relative time ranges.
  const dependencies = [...FILTER_NAMES.map(name => query[name]), query.sort, query.time && clock.value?.loadedAt]
  const shown = useMemo(
    () => sortEntries(source.filter(matcher(query, { now: sandboxTime(), isOwn })), sortOf(query)),
    [source, dependencies.join(' ')],
  )
  return { shown, journal, all, searching, error, filtered: FILTER_NAMES.some(name => query[name]) }
}

export function Requests() {
  const { parts, query } = place.value
  const chosen = parts[0]
  const { searching, error, ...list } = useShown()
  const { shown, journal, all } = list
  const known = journal.entries.value.length
  return (
    <div class={`split ${chosen ? 'with-detail' : ''}`}>
      <div class="split-list">
        <Filters searching={searching} />
        {error && <Failure error={error} />}
        {query.by === 'operation' ? (
          <Statistics shown={shown} />
        ) : (
          <RequestRows shown={shown} chosen={chosen} journal={journal} all={all} />
        )}
        {shown.length === 0 && !searching && (
          <Empty icon="requests" title={known === 0 ? 'No requests yet' : 'No matching requests'}>
            {known === 0
              ? 'Send a request to the API. It appears here with its response and an explanation.'
              : `${known.toLocaleString('en')} in the request log.`}
          </Empty>
        )}
        <ListFoot {...list} />
      </div>
      {chosen && <EntryDetail key={chosen} id={chosen} journal={journal} />}
    </div>
  )
}
