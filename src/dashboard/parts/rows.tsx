import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announcement, openDetail, useKeys } from '../state/keys.ts'
import { amendQuery } from '../state/place.ts'
import { Icon } from './icon.tsx'

/** The attributes of the link that opens a row. */
export interface RowLink {
  'data-row-link': true
  tabIndex: number
}

export interface Column<T> {
  name: string
  /** Default: the name. */
  label?: ComponentChildren
  class?: string
  /** The width as a grid track. Default: set by the class of the table. */
  width?: string
  /** Makes the column sortable; the direction of the first click. */
  sort?: 'up' | 'down'
  /** One column contains a link with the attributes `link`. */
  cell(row: T, link: RowLink, index: number): ComponentChildren
}

interface Props<T> {
  label: string
  rows: readonly T[]
  columns: readonly Column<T>[]
  rowHeight?: number
  keyOf(row: T): string
  selected?: string
  class?: string
  /** The URL parameter of the sort order, and its value: a column name, with a minus for descending order. */
  sort?: { param: string; value: string | undefined }
  headless?: boolean
}

/** Rows rendered above and below the visible ones. */
const EXTRA_ROWS = 8

function Heading<T>({ column, sort }: { column: Column<T>; sort: Props<T>['sort'] }) {
  const { name, label = name, class: more = '', sort: first } = column
  const up = sort?.value === name
  const down = sort?.value === `-${name}`
  const next = up || (!down && first === 'down') ? `-${name}` : name
  const order = up ? 'ascending' : down ? 'descending' : 'none'
  return (
    <span role="columnheader" class={`c-${name} ${more}`} aria-sort={first && order}>
      {first && sort ? (
        <button type="button" class="sort" onClick={() => amendQuery({ page: undefined, [sort.param]: next })}>
          {label} {up && <Icon name="up" />}
          {down && <Icon name="down" />}
        </button>
      ) : (
        label
      )}
    </span>
  )
}

/** The visible part of a long list of rows with these keys. New rows above it don't move it. */
function useScrollView(container: RefObject<HTMLDivElement | null>, keys: readonly string[], rowHeight: number) {
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

const linkIn = (row: Element | null) => row?.querySelector<HTMLElement>('[data-row-link]')

/** A table that renders only its visible rows. Arrow keys move between rows. Tab enters and leaves the table. */
export function Rows<T>(props: Props<T>) {
  const { label, rows, columns, rowHeight = 34, keyOf, selected = '', class: more = '', sort, headless } = props
  const count = rows.length
  const keys = rows.map(keyOf)
  const container = useRef<HTMLDivElement>(null)
  const { view, measure } = useScrollView(container, keys, rowHeight)
  /** The row that has the focus, or had it last. */
  const [active, setActive] = useState('')
  const activeAt = keys.indexOf(active)
  const selectedAt = keys.indexOf(selected)
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + EXTRA_ROWS)
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  // Keys lead from the active and the selected row to others, even if they aren't visible.
  const reachable = [activeAt, selectedAt - 1, selectedAt, selectedAt + 1].filter(index => index >= 0 && index < count)
  const shown = [...new Set([...visible, ...reachable])].sort((a, b) => a - b)
  const tabStop = activeAt >= 0 ? activeAt : selectedAt >= 0 ? selectedAt : shown[0]

  const rowAt = (index: number) => container.current!.querySelector(`[aria-rowindex="${index + 2}"]:not(.head)`)

  function moveFocus(event: KeyboardEvent) {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }
    const step = steps[event.key as keyof typeof steps]
    if (!step || tabStop === undefined || (event.target as HTMLElement).closest('input, select')) return
    event.preventDefault()
    setActive(keys[Math.min(count - 1, Math.max(0, tabStop + step))]!)
  }
  useLayoutEffect(() => {
    const row = rowAt(activeAt)
    // A checkbox or button of the row may have the focus.
    if (!row || row.contains(document.activeElement)) return
    linkIn(row)?.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }, [active])

  function openAdjacent(by: number) {
    if (selectedAt < 0 || !openDetail()) return false
    const to = selectedAt + by
    const link = linkIn(rowAt(to))
    link?.click()
    if (link) announcement.value = `${link.textContent}, ${to + 1} of ${count}`
    return true
  }
  useKeys(['j', 'ArrowDown'], 'Open the next row (details open)', () => openAdjacent(1))
  useKeys(['k', 'ArrowUp'], 'Open the previous row (details open)', () => openAdjacent(-1))
  // In a narrow window the details hide the list. It cannot scroll until it is visible again.
  useLayoutEffect(() => rowAt(selectedAt)?.scrollIntoView({ block: 'nearest' }), [selected, view.height === 0])

  const widths = columns.every(({ width }) => width) ? columns.map(({ width }) => width).join(' ') : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys only move the focus between the links inside
    <div
      ref={container}
      class={`rows ${count === 0 ? 'none' : ''} ${more}`}
      style={widths ? { '--columns': widths } : {}}
      onScroll={measure}
      onKeyDown={moveFocus}
    >
      <div role="table" aria-label={label} aria-rowcount={count + 1}>
        {!headless && (
          <div class="row head" role="row" aria-rowindex={1}>
            {columns.map(column => (
              <Heading key={column.name} column={column} sort={sort} />
            ))}
          </div>
        )}
        <div class="rows-all" role="rowgroup" style={{ height: `${count * rowHeight}px` }}>
          {shown.map(index => {
            const key = keys[index]!
            return (
              <div
                key={key}
                class={`row ${key === selected ? 'selected' : ''}`}
                role="row"
                aria-rowindex={index + 2}
                style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
                onFocusIn={() => setActive(key)}
              >
                {columns.map(({ name, class: css = '', cell }) => (
                  <span key={name} role="cell" class={`c-${name} ${css}`}>
                    {cell(rows[index]!, { 'data-row-link': true, tabIndex: index === tabStop ? 0 : -1 }, index)}
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
