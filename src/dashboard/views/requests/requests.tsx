import { useMemo, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { actIfConfirmed } from '../../parts/dialog.tsx'
import { Empty, Failure } from '../../parts/messages.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { act } from '../../state/actions.ts'
import { isOwn, journal, type Listed, logLimit } from '../../state/journal.ts'
import { requestVersion, shownJournal, showsAll } from '../../state/live.ts'
import { place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { clock, sandboxControl, sandboxTime } from '../../state/simulator.ts'
import type { Har, ListedEntry } from '../../types.ts'
import { pause } from '../../wire/events.ts'
import { toRequestError } from '../../wire/request-error.ts'
import { FILTER_NAMES, isFiltered, matcher, sortEntries, sortOf } from './entries.ts'
import { EntryDetail } from './entry-detail.tsx'
import { Filters } from './filters.tsx'
import { RequestRows, Statistics } from './request-rows.tsx'

const TYPING_MS = 200
const MAX_RESULTS = 10_000

/** Searches on the server, which has all bodies. Shows the old results while searching. */
function useSearch() {
  const { text = '' } = place.value.query
  const params = { text, limit: String(MAX_RESULTS), ...(showsAll.value && { sandboxes: 'all' }) }
  const path = `/requests?${new URLSearchParams(params)}`
  const search = text && `${sandbox.value} ${path}`
  /** The version being searched: new requests must not abort a slow search. */
  const running = useRef<number | undefined>(undefined)
  const version = running.current ?? requestVersion.value
  const { data: found } = useRemote('search', `${search} ${version}`, async signal => {
    if (search === '') return undefined
    running.current = version
    await pause(TYPING_MS, signal)
    const result = await sandboxControl<Listed>('GET', path, { signal }).catch(error => ({
      requests: [],
      error: toRequestError(error),
    }))
    if (!signal.aborted) running.current = undefined
    return { error: undefined, ...result, search }
  })
  if (search === '') return { searching: false }
  const searching = found?.search !== search
  return { found: found?.requests, searching, error: searching ? undefined : found.error }
}

const clearJournal = () =>
  actIfConfirmed({
    title: 'Clear the request log?',
    sentences: [
      "This removes all requests of this sandbox from the log. You can't undo this, but you can download a HAR file first.",
      'State, clock and scenario are unchanged.',
    ],
    action: 'Clear',
    danger: true,
    run: async () => {
      await sandboxControl('DELETE', '/requests')
      journal.replace({ requests: [] })
    },
    done: 'Request log cleared.',
  })

/** Filters the HAR locally, because the simulator doesn't support all filters of the dashboard. */
async function downloadHar(shown: readonly ListedEntry[]) {
  const all = showsAll.value
  const { log } = await sandboxControl<Har>('GET', `/requests.har${all ? '?sandboxes=all' : ''}`)
  const ids = isFiltered(place.value.query) && new Set(shown.map(({ id }) => id))
  const entries = log.entries.filter(({ _operationId }) => !ids || ids.has(_operationId))
  saveFile(`edgesim-${all ? 'all' : sandbox.value}.har`, JSON.stringify({ log: { ...log, entries } }))
}

function countOf(shown: readonly ListedEntry[]): string {
  const number = (count: number) => count.toLocaleString('en')
  const { entries, isDropped, droppedBefore } = shownJournal.value
  const known = entries.value.length
  const dropped = shown.filter(isDropped).length
  const before = droppedBefore.value
  const count = shown.length === known ? number(known) : `${number(shown.length)} of ${number(known)}`
  if (dropped > 0) return `${count} shown, ${number(dropped)} dropped by the server: ${logLimit()}`
  if (before > 0) return `${count} shown, ${number(before)} older dropped by the server: ${logLimit()}`
  return `${count} requests`
}

const ListFoot = ({ shown }: { shown: readonly ListedEntry[] }) => (
  <div class="list-foot">
    <span class="number muted">{countOf(shown)}</span>
    <div class="actions">
      <Button look="quiet" icon="download" disabled={shown.length === 0} onClick={() => act(() => downloadHar(shown))}>
        Download HAR
      </Button>
      {!showsAll.value && (
        <Button look="quiet" disabled={journal.entries.value.length === 0} onClick={clearJournal}>
          Clear log…
        </Button>
      )}
    </div>
  </div>
)

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
