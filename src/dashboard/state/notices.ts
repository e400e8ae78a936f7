import { signal } from '@preact/signals'

export interface Notice {
  id: number
  kind: 'done' | 'error'
  text: string
}

export const notices = signal<readonly Notice[]>([])
let last = 0

/** Says that something was done, for a while; what failed stays until it is dismissed. */
export function notify(kind: Notice['kind'], text: string) {
  const id = ++last
  notices.value = [...notices.value.filter(notice => notice.text !== text).slice(-3), { id, kind, text }]
  if (kind === 'done') setTimeout(() => dismiss(id), 6_000)
}

export function dismiss(id: number) {
  notices.value = notices.value.filter(notice => notice.id !== id)
}
