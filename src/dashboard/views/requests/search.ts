import { computed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { allJournal, journal, type Listed } from '../../state/journal.ts'
import { requestVersion, showsAll } from '../../state/live.ts'
import { place, sandbox } from '../../state/place.ts'
import { useRemote } from '../../state/remote.ts'
import { sandboxControl } from '../../state/simulator.ts'
import { pause } from '../../wire/events.ts'
import { toRequestError } from '../../wire/request-error.ts'

const TYPING_MS = 200
const MAX_RESULTS = 10_000

/** The journal of the sandbox, or of all sandboxes. */
export const shownJournal = computed(() => (showsAll.value ? allJournal : journal))

/** Searches on the server, which has all bodies. Shows the old results while searching. */
export function useSearch() {
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
