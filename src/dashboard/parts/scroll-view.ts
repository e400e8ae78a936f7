import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Rows {
  count: number
  rowHeight: number
  keyOf(index: number): string
}

/** How far down to look for a row that new rows pushed down. */
const SEARCHED_ROWS = 2_000

/** The visible part of a long list. New rows above it don't move it. */
export function useScrollView(container: RefObject<HTMLDivElement | null>, { count, rowHeight, keyOf }: Rows) {
  const [view, setView] = useState({ top: 0, height: 600 })
  const anchor = useRef<{ key: string; index: number } | undefined>(undefined)

  const measure = () => {
    const { scrollTop: top, clientHeight: height } = container.current!
    setView(view => (view.top === top && view.height === height ? view : { top, height }))
  }
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure)
    observer.observe(container.current!)
    return () => observer.disconnect()
  }, [])

  // Uses the measured position: reading scrollTop forces a layout in every frame.
  useLayoutEffect(() => {
    const before = anchor.current
    const at = Math.floor(view.top / rowHeight)
    const moved = before && view.top > rowHeight && before.index < count && keyOf(before.index) !== before.key
    const now = moved ? find(before.key, before.index) : undefined
    if (before && now !== undefined) {
      anchor.current = { key: before.key, index: now }
      const top = view.top + (now - before.index) * rowHeight
      container.current!.scrollTop = top
      setView({ ...view, top })
    } else anchor.current = at < count ? { key: keyOf(at), index: at } : undefined
  })

  function find(key: string, from: number): number | undefined {
    for (let i = from; i < Math.min(count, from + SEARCHED_ROWS); i++) if (keyOf(i) === key) return i
    return undefined
  }

  return { view, measure }
}
