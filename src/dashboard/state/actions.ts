import { signal, useSignal } from '@preact/signals'
import { type RequestError, toRequestError } from '../wire/request-error.ts'

const MAX_NOTICES = 20
const SHOWN_MS = 6_000

/** Newest first. */
export const notices = signal<readonly { id: number; kind: 'done' | 'error'; text: string }[]>([])
let lastId = 0

/** Shows a notice. Success notices expire. Errors remain until dismissed. */
export function notify(kind: 'done' | 'error', text: string) {
  const id = ++lastId
  // A repeated message replaces the first one.
  const others = notices.value.filter(notice => notice.text !== text)
  notices.value = [{ id, kind, text }, ...others].slice(0, MAX_NOTICES)
  if (kind === 'done') dismissLater(id)
}

/** Not while the user hovers or focuses the notices. */
function dismissLater(id: number) {
  const isHeld = () => document.querySelector('.notices:is(:hover, :focus-within)')
  setTimeout(() => (isHeld() ? dismissLater(id) : dismiss(id)), SHOWN_MS)
}

export function dismiss(id: number) {
  notices.value = notices.value.filter(notice => notice.id !== id)
}

/** Runs an action and shows its result as a notice. */
export async function act(action: () => Promise<unknown>, done?: string) {
  try {
    await action()
    if (done) notify('done', done)
  } catch (error) {
    notify('error', toRequestError(error).message)
  }
}

/** Submits a form, one request at a time. `send` returns the success notice, if any. The form shows `error`. */
export function useSubmit(send: () => Promise<string | undefined>) {
  const busy = useSignal(false)
  const error = useSignal<RequestError | undefined>(undefined)
  async function submit(event: Event) {
    event.preventDefault()
    if (busy.value) return
    busy.value = true
    error.value = undefined
    try {
      const done = await send()
      if (done) notify('done', done)
    } catch (thrown) {
      error.value = toRequestError(thrown)
    }
    busy.value = false
  }
  return { submit, busy: busy.value, error: error.value }
}
