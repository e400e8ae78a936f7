import { effect, signal } from '@preact/signals'
import { sandbox } from '../../state/place.ts'

const NONE: ReadonlySet<string> = new Set()

/** The ids of the selected records, by table. */
const selections = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
/** The row that was selected last, where a range begins. */
let anchor: { table: string; id: string } | undefined

effect(() => {
  sandbox.value
  selections.value = new Map()
  anchor = undefined
})

export const selectionOf = (table: string): ReadonlySet<string> => selections.value.get(table) ?? NONE

export function select(table: string, ids: readonly string[], on: boolean) {
  const next = new Set(selectionOf(table))
  for (const id of ids) on ? next.add(id) : next.delete(id)
  selections.value = new Map(selections.value).set(table, next)
}

/** Selects one of the rows or takes it out; with `range`, all from the one that was selected last. */
export function toggle(table: string, rows: readonly { id: string }[], at: number, range: boolean) {
  const id = rows[at]!.id
  const on = !selectionOf(table).has(id)
  const from = range && anchor?.table === table ? rows.findIndex(row => row.id === anchor!.id) : -1
  anchor = { table, id }
  if (from < 0) return select(table, [id], on)
  const ids = rows.slice(Math.min(from, at), Math.max(from, at) + 1).map(row => row.id)
  select(table, ids, on)
}
