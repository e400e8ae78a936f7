import { effect, signal } from '@preact/signals'
import { sandbox } from '../../state/place.ts'
import type { Row } from '../../types.ts'

/** The ids of the selected records, by table. */
const selections = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
/** The last selected row, where a range starts. */
let anchor: string | undefined

effect(() => {
  sandbox.value
  selections.value = new Map()
  anchor = undefined
})

export const selectionOf = (table: string): ReadonlySet<string> => selections.value.get(table) ?? new Set()

export function select(table: string, ids: Iterable<string>, on: boolean) {
  const next = new Set(selectionOf(table))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  selections.value = new Map(selections.value).set(table, next)
}

/** Selects or deselects a row. With `range`, all rows from the last selected one. */
export function toggle(table: string, rows: readonly Row[], at: number, range: boolean) {
  const { id } = rows[at]!
  const last = range ? rows.findIndex(row => row.id === anchor) : -1
  const from = last < 0 ? at : last
  const ids = rows.slice(Math.min(from, at), Math.max(from, at) + 1).map(row => row.id)
  select(table, ids, !selectionOf(table).has(id))
  anchor = id
}

interface Props {
  table: string
  rows: readonly Row[]
}

/** Selects a row, or a range with Shift. */
export function RowCheck({ table, rows, at, tabIndex }: Props & { at: number; tabIndex: number }) {
  const { id } = rows[at]!
  return (
    <label class="row-check">
      <input
        type="checkbox"
        aria-label={`Select ${id}`}
        tabIndex={tabIndex}
        checked={selectionOf(table).has(id)}
        onClick={event => toggle(table, rows, at, event.shiftKey)}
      />
    </label>
  )
}

/** Selects all rows or none. */
export function PageCheck({ table, rows }: Props) {
  const ids = rows.map(({ id }) => id)
  const count = ids.filter(id => selectionOf(table).has(id)).length
  const all = count > 0 && count === rows.length
  return (
    <label class="row-check">
      <input
        type="checkbox"
        aria-label="Select all rows on this page"
        indeterminate={count > 0 && !all}
        disabled={rows.length === 0}
        checked={all}
        onChange={() => select(table, ids, !all)}
      />
    </label>
  )
}
