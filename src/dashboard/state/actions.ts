import { signal, useSignal } from '@preact/signals'
import { type RequestError, toRequestError } from '../wire/request-error.ts'

export interface Notice {
  id: number
  kind: 'done' | 'error'
  text: string
  at: Date
  /** It was dismissed, or its time is over. */
  over: boolean
}

const KEPT_NOTICES = 20
const SHOWN_MS = 6_000

/** The latest, newest first, also those that are over. */
export const notices = signal<readonly Notice[]>([])
/** Somebody reads: nothing goes away now. */
export const noticesHeld = signal(false)
let lastId = 0

/** Shows a notice. One of success goes away after a while; an error stays until it is dismissed. */
export function notify(kind: Notice['kind'], text: string) {
  const id = ++lastId
  // The same text again takes the place of the first.
  const others = notices.value.filter(notice => notice.over || notice.text !== text)
  notices.value = [{ id, kind, text, at: new Date(), over: false }, ...others].slice(0, KEPT_NOTICES)
  if (kind === 'done') letGo(id)
}

const letGo = (id: number) => setTimeout(() => (noticesHeld.value ? letGo(id) : dismiss(id)), SHOWN_MS)

export function dismiss(id: number) {
  notices.value = notices.value.map(notice => (notice.id === id ? { ...notice, over: true } : notice))
}

export function dismissAll() {
  notices.value = notices.value.map(notice => ({ ...notice, over: true }))
}

/** Does something and shows the result as a notice. */
export async function act(action: () => Promise<unknown>, done?: string) {
  try {
    await action()
    if (done) notify('done', done)
  } catch (error) {
    notify('error', toRequestError(error).message)
  }
}

/** Sends a form, one at a time. `send` returns the notice of success, if any; `error` is for the form to show. */
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
