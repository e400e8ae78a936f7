import { signal, useSignal } from '@preact/signals'
import { type RequestError, toRequestError } from '../wire/request-error.ts'

interface Notice {
  id: number
  kind: 'done' | 'error'
  text: string
}

export const notices = signal<readonly Notice[]>([])
let lastId = 0

/** Shows a notice. One of success disappears after a while; an error stays until it is dismissed. */
export function notify(kind: Notice['kind'], text: string) {
  const id = ++lastId
  notices.value = [...notices.value.filter(notice => notice.text !== text).slice(-3), { id, kind, text }]
  if (kind === 'done') setTimeout(() => dismiss(id), 6_000)
}

export function dismiss(id: number) {
  notices.value = notices.value.filter(notice => notice.id !== id)
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
