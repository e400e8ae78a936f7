import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The visible part of a long list of rows with these keys. New rows above it don't move it. */
export function useScrollView(container: RefObject<HTMLDivElement | null>, keys: readonly string[], rowHeight: number) {
  const [view, setView] = useState({ top: 0, height: 600 })
  const anchor = useRef<{ key: string | undefined; index: number }>({ key: undefined, index: 0 })

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
    const { key, index } = anchor.current
    const now = key !== undefined && view.top > rowHeight ? keys.indexOf(key, index) : index
    if (now > index) {
      anchor.current = { key, index: now }
      const top = view.top + (now - index) * rowHeight
      container.current!.scrollTop = top
      setView({ ...view, top })
    } else {
      const at = Math.floor(view.top / rowHeight)
      anchor.current = { key: keys[at], index: at }
    }
  })

  return { view, measure }
}
