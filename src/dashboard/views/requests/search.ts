import { effect, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Journal, Listed } from '../../state/journal.ts'
import { sandbox } from '../../state/place.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { ListedEntry } from '../../types.ts'
import { pause } from '../../wire/events.ts'
import { type RequestError, toRequestError } from '../../wire/request-error.ts'

const TYPING_MS = 200
/** While requests keep coming it is asked no more often than this. */
const BETWEEN_MS = 1000
const MOST = 10_000

interface Found {
  question: string
  requests: readonly ListedEntry[]
  error?: RequestError
}

/** Resolves when the journal is no longer what it was, or nobody waits any more. */
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

/** The requests that have a text: the simulator looks for it, as only it has all bodies. What was found stays meanwhile. */
export function useSearch(text: string | undefined, journal: Journal, all: boolean) {
  const found = useSignal<Found | undefined>(undefined)
  const asked = new URLSearchParams({ text: text ?? '', limit: String(MOST), ...(all && { sandboxes: 'all' }) })
  const question = text ? `${sandbox.value} ${asked}` : ''
  useEffect(() => {
    if (question === '') {
      found.value = undefined
      return
    }
    const ending = new AbortController()
    const { signal } = ending
    const keepAsking = async () => {
      await pause(TYPING_MS, signal)
      while (!signal.aborted) {
        const before = journal.entries.peek()
        try {
          const { requests } = await sandboxControl<Listed>('GET', `/requests?${asked}`, { signal })
          if (!signal.aborted) found.value = { question, requests }
        } catch (error) {
          if (!signal.aborted) found.value = { question, requests: [], error: toRequestError(error) }
        }
        await changed(journal, before, signal)
        await pause(BETWEEN_MS, signal)
      }
    }
    void keepAsking()
    return () => ending.abort()
  }, [question])
  const { value } = found
  return {
    found: question === '' ? undefined : value?.requests,
    searching: question !== '' && value?.question !== question,
    error: value?.question === question ? value?.error : undefined,
  }
}
