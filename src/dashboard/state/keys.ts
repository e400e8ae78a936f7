import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A keyboard shortcut: one key, or a sequence of two such as `g 1`. */
export interface Key {
  keys: readonly string[]
  what: string
  /** Returns false to leave the key to the browser. */
  press(): unknown
}

/** Shortcuts of the visible components, newest first, then those of every view. */
const allKeys = signal<readonly Key[]>([])

/** The active shortcuts: the first of those with the same key. */
export const keysNow = () =>
  allKeys.value.filter(({ keys }, i, all) => all.findIndex(each => each.keys[0] === keys[0]) === i)

export const shortcutsShown = signal(false)

/** Text for screen readers. */
export const announcement = signal('')

/** Registers a shortcut while the component is mounted. */
export function useKeys(keys: readonly string[], what: string, press: () => unknown) {
  const newest = useRef(press)
  newest.current = press
  useLayoutEffect(() => {
    const key = { keys, what, press: () => newest.current() }
    allKeys.value = [key, ...allKeys.value]
    return () => {
      allKeys.value = allKeys.value.filter(each => each !== key)
    }
  }, [])
}

const TEXT_INPUT = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'
const USES_ARROWS = 'pre, [tabindex="0"]:not(a, button)'
const SECOND_KEY_MS = 1_500

/** The details next to a list. Closing them preserves unsaved input. */
export const openDetail = () => document.querySelector('aside.detail') ?? undefined

/** The only shortcut listener. It ignores handled events, text input and dialogs. */
export function startKeys(keys: readonly Key[]) {
  allKeys.value = [...allKeys.value, ...keys]
  let first = { key: '', at: 0 }
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
    // Inside of a shadow root, event.target is its host.
    const target = event.composedPath()[0] as HTMLElement
    if (document.querySelector('dialog[open]')) return
    if (target.closest(TEXT_INPUT)) {
      if (event.key !== 'Escape') return
      event.preventDefault()
      return target.blur()
    }
    if (event.key.startsWith('Arrow') && target.closest(USES_ARROWS)) return
    const isSecond = first.key !== '' && event.timeStamp - first.at < SECOND_KEY_MS
    const pressed = isSecond ? `${first.key} ${event.key}` : event.key
    const isFirst = keysNow().some(({ keys }) => keys.some(key => key.startsWith(`${pressed} `)))
    first = { key: isFirst ? pressed : '', at: event.timeStamp }
    const found = keysNow().find(({ keys }) => keys.includes(pressed))
    if (found && found.press() !== false) event.preventDefault()
  })
}
