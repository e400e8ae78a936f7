import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
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
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + EXTRA_ROWS)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  const keys = shown.map(keyOf)
  const stop = keys.find(key => key === active) ?? keys.find(key => key === selected) ?? keys[0]

  function walk(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step || (event.target as HTMLElement).closest('input, select')) return
    event.preventDefault()
    const from = shown[keys.indexOf(stop ?? '')] ?? first
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to = Math.min(count - 1, Math.max(0, from + step(page)))
    const area = container.current!
    const [top, bottom] = [to * rowHeight, (to + 1) * rowHeight]
    if (top < area.scrollTop) area.scrollTop = top
    else if (bottom > area.scrollTop + area.clientHeight - rowHeight)
      area.scrollTop = bottom - area.clientHeight + rowHeight
    measure()
    const key = keyOf(to)
    setActive(key)
    requestAnimationFrame(() =>
      area.querySelector<HTMLElement>(`[aria-rowindex="${to + 2}"] [data-row-link]`)?.focus({ preventScroll: true }),
    )
  }

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
