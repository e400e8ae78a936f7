import { computed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { allJournal, journal, type Listed } from '../../state/journal.ts'
import { showsAll } from '../../state/live.ts'
import { place, sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { pause } from '../../wire/events.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

const TYPING_MS = 200
/** Minimum time between two searches. */
const INTERVAL_MS = 1000
const MAX_RESULTS = 10_000

/** The journal of the sandbox, or of all sandboxes. */
export const shownJournal = computed(() => (showsAll.value ? allJournal : journal))

/** Searches on the server, which has all bodies. Shows the old results while searching. */
export function useSearch() {
  const found = useSignal<(Listed & { search: string; error?: RequestError }) | undefined>(undefined)
  const { text = '' } = place.value.query
  const params = { text, limit: String(MAX_RESULTS), ...(showsAll.value && { sandboxes: 'all' }) }
  const path = `/requests?${new URLSearchParams(params)}`
  const search = text && `${sandbox.value} ${path}`
  useEffect(() => {
    if (search === '') {
      found.value = undefined
      return
    }
    const ending = new AbortController()
    const { signal } = ending
    async function poll() {
      let searched: readonly ListedEntry[] | undefined
      await pause(TYPING_MS, signal)
      while (!signal.aborted) {
        const entries = shownJournal.peek().entries.peek()
        if (entries !== searched) {
          searched = entries
          const result = await sandboxControl<Listed>('GET', path, { signal }).catch(error => ({
            requests: [],
            error: toRequestError(error),
          }))
          if (!signal.aborted) found.value = { ...result, search }
        }
        await pause(INTERVAL_MS, signal)
      }
    }
    void poll()
    return () => ending.abort()
  }, [search])
  if (search === '') return { searching: false }
  const { value } = found
  const searching = value?.search !== search
  return { found: value?.requests, searching, error: searching ? undefined : value?.error }
}
