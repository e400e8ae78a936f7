import { effect, signal } from '@preact/signals'
import { sandbox } from '../../state/place.ts'

const EMPTY: ReadonlySet<string> = new Set()

/** The ids of the selected records, by table. */
const selections = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
/** The last selected row, where a range starts. */
let anchor: { table: string; id: string } | undefined

effect(() => {
  sandbox.value
  selections.value = new Map()
  anchor = undefined
})

export const selectionOf = (table: string): ReadonlySet<string> => selections.value.get(table) ?? EMPTY

export function select(table: string, ids: readonly string[], on: boolean) {
  const next = new Set(selectionOf(table))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  selections.value = new Map(selections.value).set(table, next)
}

/** Selects or deselects a row. With `range`, all rows from the last selected one. */
export function toggle(table: string, rows: readonly { id: string }[], at: number, range: boolean) {
  const id = rows[at]!.id
  const on = !selectionOf(table).has(id)
  const from = range && anchor?.table === table ? rows.findIndex(row => row.id === anchor!.id) : -1
  anchor = { table, id }
  if (from < 0) return select(table, [id], on)
  const ids = rows.slice(Math.min(from, at), Math.max(from, at) + 1).map(row => row.id)
  select(table, ids, on)
}
