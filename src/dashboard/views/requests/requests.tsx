import { useMemo } from 'preact/hooks'
import { Empty, Failure } from '../../parts/messages.tsx'
import { isOwn } from '../../state/journal.ts'
import { place } from '../../state/place.ts'
import { clock, sandboxTime } from '../../state/simulator.ts'
import { FILTER_NAMES, matcher, sortEntries, sortOf } from './entries.ts'
import { EntryDetail } from './entry-detail.tsx'
import { Filters } from './filters.tsx'
import { ListFoot } from './list-foot.tsx'
import { RequestRows } from './request-rows.tsx'
import { shownJournal, useSearch } from './search.ts'
import { Statistics } from './statistics.tsx'

export function Requests() {
  const { parts, query } = place.value
  const [chosen] = parts
  const { found, searching, error } = useSearch()
  const all = shownJournal.value.entries.value
  const source = found ?? all
  // The clock is polled every few seconds, which moves relative time ranges.
  const dependencies = [...FILTER_NAMES.map(name => query[name]), query.sort, query.time && clock.value?.loadedAt]
  const shown = useMemo(
    () => sortEntries(source.filter(matcher(query, { now: sandboxTime(), isOwn })), sortOf(query)),
    [source, dependencies.join(' ')],
  )
  return (
    <div class={`split ${chosen ? 'with-detail' : ''}`}>
      <div class="split-list">
        <Filters searching={searching} />
        {error && <Failure error={error} />}
        {query.by === 'operation' ? <Statistics shown={shown} /> : <RequestRows shown={shown} />}
        {shown.length === 0 && !searching && (
          <Empty icon="requests" title={all.length === 0 ? 'No requests yet' : 'No matching requests'}>
            {all.length === 0
              ? 'Send a request to the API. It appears here with its response and an explanation.'
              : `${all.length.toLocaleString('en')} in the request log.`}
          </Empty>
        )}
        <ListFoot shown={shown} />
      </div>
      {chosen && <EntryDetail key={chosen} id={chosen} />}
    </div>
  )
}
