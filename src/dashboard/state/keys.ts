import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A key that does something, or two that are pressed one after the other: `g 1`. */
export interface Key {
  keys: readonly string[]
  what: string
  /** False: there was nothing to do, so the key does what it does anywhere. */
  press(): unknown
}

/** Those of the shell, which are always there. */
let ofShell: readonly Key[] = []
/** Those of views that are shown, the latest first: they come before those of the shell. */
const ofViews = signal<readonly Key[]>([])

/** All keys that work now, each once. */
export function keysNow(): readonly Key[] {
  const all = [...ofViews.value, ...ofShell]
  return all.filter(({ keys }, i) => all.findIndex(each => each.keys[0] === keys[0]) === i)
}

/** Whether the list of keys is open. */
export const keysShown = signal(false)

/** Said to those who hear the page instead of seeing it. */
export const announced = signal('')

/** Keys that work while the component is shown. */
export function useKeys(keys: readonly string[], what: string, press: () => unknown) {
  const newest = useRef(press)
  newest.current = press
  useLayoutEffect(() => {
    const key = { keys, what, press: () => newest.current() }
    ofViews.value = [key, ...ofViews.value]
    return () => {
      ofViews.value = ofViews.value.filter(each => each !== key)
    }
  }, [])
}

/** Where keys are text. A checkbox takes none of them. */
const FIELD = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'
/** What scrolls or moves by arrow keys of its own. */
const MOVES = 'pre, [tabindex="0"]:not(a, button)'
const SECOND_KEY_MS = 1_500

/** The detail beside a list. What is typed in it is kept when it is closed. */
export const openDetail = () => document.querySelector('aside.detail') ?? undefined

/** The one listener for keys. It leaves alone what another has handled, what is typed, and dialogs. */
export function startKeys(shell: readonly Key[]) {
  ofShell = shell
  let first: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('keydown', event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return
    const target = event.target as HTMLElement
    if (document.querySelector('dialog[open]')) return
    if (target.closest(FIELD)) {
      if (event.key !== 'Escape') return
      event.preventDefault()
      return target.blur()
    }
    if (event.key.startsWith('Arrow') && target.closest(MOVES)) return
    const pressed = first ? `${first} ${event.key}` : event.key
    first = undefined
    clearTimeout(timer)
    const found = keysNow().find(({ keys }) => keys.includes(pressed))
    if (found) {
      if (found.press() !== false) event.preventDefault()
    } else if (keysNow().some(({ keys }) => keys.some(key => key.startsWith(`${pressed} `)))) {
      first = pressed
      timer = setTimeout(() => {
        first = undefined
      }, SECOND_KEY_MS)
    }
  })
}
