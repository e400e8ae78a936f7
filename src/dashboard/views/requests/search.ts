import { effect, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Journal, Listed } from '../../state/journal.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { pause } from '../../wire/events.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

const TYPING_MS = 200
/** Minimum time between two searches. */
const INTERVAL_MS = 1000
const MAX_RESULTS = 10_000

interface Found {
  search: string
  requests: readonly ListedEntry[]
  error?: RequestError
}

/** Resolves when the journal has changed, or on abort. */
async function changed(journal: Journal, from: readonly ListedEntry[], signal: AbortSignal) {
  if (signal.aborted) return
  let stop = () => {}
  await new Promise<void>(resolve => {
    stop = effect(() => {
      if (journal.entries.value !== from) resolve()
    })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  stop()
}

/** Searches on the server, which has all bodies. Shows the old results while searching. */
export function useSearch(text: string | undefined, journal: Journal, all: boolean) {
  const found = useSignal<Found | undefined>(undefined)
  const params = new URLSearchParams({ text: text ?? '', limit: String(MAX_RESULTS), ...(all && { sandboxes: 'all' }) })
  const search = text ? `${sandbox.value} ${params}` : ''
  useEffect(() => {
    if (search === '') {
      found.value = undefined
      return
    }
    const ending = new AbortController()
    const { signal } = ending
    const poll = async () => {
      await pause(TYPING_MS, signal)
      while (!signal.aborted) {
        const before = journal.entries.peek()
        try {
          const { requests } = await sandboxControl<Listed>('GET', `/requests?${params}`, { signal })
          if (!signal.aborted) found.value = { search, requests }
        } catch (error) {
          if (!signal.aborted) found.value = { search, requests: [], error: toRequestError(error) }
        }
        await changed(journal, before, signal)
        await pause(INTERVAL_MS, signal)
      }
    }
    void poll()
    return () => ending.abort()
  }, [search])
  const { value } = found
  return {
    found: search === '' ? undefined : value?.requests,
    searching: search !== '' && value?.search !== search,
    error: value?.search === search ? value?.error : undefined,
  }
}
