import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announced, openDetail, useKeys } from '../state/keys.ts'
import { useScrollView } from './scroll-view.ts'

interface Props {
  label: string
  count: number
  rowHeight: number
  /** The header row; it stays at the top. */
  head?: ComponentChildren
  /** Identifies a row, wherever it moves. */
  keyOf(index: number): string
  /** A row's cells; the link in one of them carries `data-row-link` and the tabIndex given. */
  row(index: number, tabIndex: number): ComponentChildren
  selected?: string
  class?: string
  /** The columns of the grid, unless the class has them. */
  columns?: string
}

/** Rows that are drawn above and below the visible ones. */
const EXTRA_ROWS = 8
const STEPS: Record<string, (page: number) => number> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  PageDown: page => page,
  PageUp: page => -page,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
}

/** A table of any length that draws only its visible rows. Arrow keys move between rows; Tab enters and leaves it. */
export function VirtualRows({ label, count, rowHeight, head, keyOf, row, selected, class: more = '', columns }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const { view, measure } = useScrollView(container, { count, rowHeight, keyOf })
  const [active, setActive] = useState<string>()
  /** A row to be opened in the detail. It is drawn even if it is out of sight. */
  const [wanted, setWanted] = useState<number>()
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + EXTRA_ROWS)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  if (wanted !== undefined && wanted < count && (wanted < first || wanted >= last)) shown.push(wanted)
  const keys = shown.map(keyOf)
  const stop = keys.find(key => key === active) ?? keys.find(key => key === selected) ?? keys[0]

  const linkOf = (index: number) =>
    container.current!.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"] [data-row-link]`)

  function scrollTo(index: number) {
    const area = container.current!
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight]
    if (top < area.scrollTop) area.scrollTop = top
    else if (bottom > area.scrollTop + area.clientHeight - rowHeight)
      area.scrollTop = bottom - area.clientHeight + rowHeight
    measure()
  }

  function walk(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step || (event.target as HTMLElement).closest('input, select')) return
    event.preventDefault()
    const from = shown[keys.indexOf(stop ?? '')] ?? first
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to = Math.min(count - 1, Math.max(0, from + step(page)))
    scrollTo(to)
    setActive(keyOf(to))
    focusNext.current = to
    focusRow()
  }
  // A row out of sight can have the focus once it is drawn.
  const focusNext = useRef<number | undefined>(undefined)
  function focusRow() {
    const link = focusNext.current === undefined ? null : linkOf(focusNext.current)
    if (!link) return
    focusNext.current = undefined
    link.focus({ preventScroll: true })
  }
  useLayoutEffect(focusRow)

  /** Opens the row before or after the one whose detail is open. */
  function openBeside(by: number) {
    if (selected === undefined || !openDetail()) return false
    let from = 0
    while (from < count && keyOf(from) !== selected) from++
    const to = from + by
    if (from === count || to < 0 || to === count) return true
    setWanted(to)
    return true
  }
  useKeys(['j', 'ArrowDown'], 'The next one, with a detail open', () => openBeside(1))
  useKeys(['k', 'ArrowUp'], 'The one before, with a detail open', () => openBeside(-1))
  useLayoutEffect(() => {
    if (wanted === undefined) return
    const link = linkOf(wanted)
    link?.click()
    if (view.height > 0) scrollTo(wanted)
    else unseen.current = wanted
    setWanted(undefined)
    announced.value = `${link?.textContent}, ${wanted + 1} of ${count}`
  }, [wanted])
  // In a narrow window the detail hides the list. What is hidden cannot be scrolled; it is when it is seen again.
  const unseen = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (view.height === 0 || unseen.current === undefined) return
    scrollTo(unseen.current)
    unseen.current = undefined
  }, [view.height])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between the links inside
    <div
      ref={container}
      class={`rows ${count === 0 ? 'none' : ''} ${more}`}
      style={columns ? { '--columns': columns } : {}}
      onScroll={measure}
      onKeyDown={walk}
    >
      <div role="table" aria-label={label} aria-rowcount={count + 1}>
        {head && (
          <div class="row head" role="row" aria-rowindex={1}>
            {head}
          </div>
        )}
        <div class="rows-all" role="rowgroup" style={{ height: `${count * rowHeight}px` }}>
          {shown.map((index, i) => {
            const key = keys[i]!
            return (
              <div
                key={key}
                class={`row ${key === selected ? 'selected' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
                onFocusIn={() => setActive(key)}
              >
                {row(index, key === stop ? 0 : -1)}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
