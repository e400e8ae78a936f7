import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announcement, openDetail, useKeys } from '../state/keys.ts'
import { amendQuery } from '../state/place.ts'
import { Icon } from './icon.tsx'
import { useScrollView } from './scroll-view.ts'

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
  /** A stable key per row. */
  keyOf(row: T): string
  selected?: string
  class?: string
  /** The URL parameter of the sort order, and its value: a column name, with a minus for descending order. */
  sort?: { param: string; value: string | undefined }
  /** Hides the header row. */
  headless?: boolean
}

/** Rows rendered above and below the visible ones. */
const EXTRA_ROWS = 8
const STEPS: Record<string, (page: number) => number> = {
  ArrowDown: () => 1,
  ArrowUp: () => -1,
  PageDown: page => page,
  PageUp: page => -page,
  Home: () => Number.NEGATIVE_INFINITY,
  End: () => Number.POSITIVE_INFINITY,
}

function Heading<T>({ column, sort }: { column: Column<T>; sort: Props<T>['sort'] }) {
  const { name, label = name, class: more = '', sort: first } = column
  const css = `c-${name} ${more}`
  if (!first || !sort)
    return (
      <span role="columnheader" class={css}>
        {label}
      </span>
    )
  const up = sort.value === name
  const down = sort.value === `-${name}`
  const next = up || (!down && first === 'down') ? `-${name}` : name
  return (
    <span role="columnheader" class={css} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" class="sort" onClick={() => amendQuery({ page: undefined, [sort.param]: next })}>
        {label} {up && <Icon name="up" />}
        {down && <Icon name="down" />}
      </button>
    </span>
  )
}

/** A table that renders only its visible rows. Arrow keys move between rows. Tab enters and leaves the table. */
export function Rows<T>(props: Props<T>) {
  const { label, rows, columns, rowHeight = 34, selected, class: more = '', sort, headless } = props
  const count = rows.length
  const keyOf = (index: number) => props.keyOf(rows[index]!)
  const container = useRef<HTMLDivElement>(null)
  const { view, measure } = useScrollView(container, { count, rowHeight, keyOf })
  const [active, setActive] = useState<string>()
  /** A row to open in the details. It is rendered even if it isn't visible. */
  const [rowToOpen, setRowToOpen] = useState<number>()
  const first = Math.max(0, Math.floor(view.top / rowHeight) - EXTRA_ROWS)
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + EXTRA_ROWS)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)
  if (rowToOpen !== undefined && rowToOpen < count && (rowToOpen < first || rowToOpen >= last)) shown.push(rowToOpen)
  const keys = shown.map(keyOf)
  const tabStop = keys.find(key => key === active) ?? keys.find(key => key === selected) ?? keys[0]

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

  function moveFocus(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step || (event.target as HTMLElement).closest('input, select')) return
    event.preventDefault()
    const from = shown[keys.indexOf(tabStop ?? '')] ?? first
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const to = Math.min(count - 1, Math.max(0, from + step(page)))
    scrollTo(to)
    setActive(keyOf(to))
    focusNext.current = to
    focusRow()
  }
  // A row must be rendered before it can have the focus.
  const focusNext = useRef<number | undefined>(undefined)
  function focusRow() {
    const link = focusNext.current === undefined ? null : linkOf(focusNext.current)
    if (!link) return
    focusNext.current = undefined
    link.focus({ preventScroll: true })
  }
  useLayoutEffect(focusRow)

  /** Opens the next or previous row. */
  function openAdjacent(by: number) {
    if (selected === undefined || !openDetail()) return false
    const from = rows.findIndex(row => props.keyOf(row) === selected)
    const to = from + by
    if (from >= 0 && to >= 0 && to < count) setRowToOpen(to)
    return true
  }
  useKeys(['j', 'ArrowDown'], 'Open the next row (details open)', () => openAdjacent(1))
  useKeys(['k', 'ArrowUp'], 'Open the previous row (details open)', () => openAdjacent(-1))
  useLayoutEffect(() => {
    if (rowToOpen === undefined) return
    const link = linkOf(rowToOpen)
    link?.click()
    if (view.height > 0) scrollTo(rowToOpen)
    else pendingScroll.current = rowToOpen
    setRowToOpen(undefined)
    announcement.value = `${link?.textContent}, ${rowToOpen + 1} of ${count}`
  }, [rowToOpen])
  // In a narrow window the details hide the list. It cannot scroll until it is visible again.
  const pendingScroll = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (view.height === 0 || pendingScroll.current === undefined) return
    scrollTo(pendingScroll.current)
    pendingScroll.current = undefined
  }, [view.height])

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
                {columns.map(({ name, class: css = '', cell }) => (
                  <span key={name} role="cell" class={`c-${name} ${css}`}>
                    {cell(rows[index]!, { 'data-row-link': true, tabIndex: key === tabStop ? 0 : -1 }, index)}
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
