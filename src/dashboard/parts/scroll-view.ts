import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Rows {
  count: number
  rowHeight: number
  keyOf(index: number): string
}

/** How far a row is looked for that others have pushed down. */
const FAR = 2_000

/** What part of a long list is in sight. Rows that arrive above what is being read do not push it away. */
export function useScrollView(box: RefObject<HTMLDivElement | null>, { count, rowHeight, keyOf }: Rows) {
  const [view, setView] = useState({ top: 0, height: 600 })
  const anchor = useRef<{ key: string; index: number } | undefined>(undefined)

  const measure = () => {
    const { scrollTop: top, clientHeight: height } = box.current!
    setView(view => (view.top === top && view.height === height ? view : { top, height }))
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])

  // Asking the box where it is scrolled to would lay out the page once more for every frame.
  useLayoutEffect(() => {
    const before = anchor.current
    const at = Math.floor(view.top / rowHeight)
    const moved = before && view.top > rowHeight && before.index < count && keyOf(before.index) !== before.key
    const now = moved ? find(before.key, before.index) : undefined
    if (before && now !== undefined) {
      anchor.current = { key: before.key, index: now }
      const top = view.top + (now - before.index) * rowHeight
      box.current!.scrollTop = top
      setView({ ...view, top })
    } else anchor.current = at < count ? { key: keyOf(at), index: at } : undefined
  })

  function find(key: string, from: number): number | undefined {
    for (let i = from; i < Math.min(count, from + FAR); i++) if (keyOf(i) === key) return i
    return undefined
  }

  return { view, measure }
}
