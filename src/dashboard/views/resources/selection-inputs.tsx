import { Button } from '../../parts/button.tsx'
import { act } from '../../state/actions.ts'
import type { Kind, Row } from '../../types.ts'
import { removeSelected } from './remove-records.tsx'
import { select, selectionOf, toggle } from './selection.ts'

interface Props {
  table: string
  rows: Row[]
}

/** Selects a row, or a range with Shift. */
export function RowCheck({ table, rows, at, tabIndex }: Props & { at: number; tabIndex: number }) {
  const { id } = rows[at]!
  return (
    <label class="row-check">
      <span class="hidden">Select {id}</span>
      <input
        type="checkbox"
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
      <span class="hidden">Select all rows on this page</span>
      <input
        ref={input => {
          if (input) input.indeterminate = count > 0 && !all
        }}
        type="checkbox"
        disabled={rows.length === 0}
        checked={all}
        onChange={() => select(table, ids, !all)}
      />
    </label>
  )
}

/** The number of selected records, and actions for them. */
export function SelectionBar({ kind, rows }: { kind: Kind; rows: Row[] }) {
  const chosen = selectionOf(kind.table)
  const elsewhere = chosen.size - rows.filter(({ id }) => chosen.has(id)).length
  return (
    <div class={chosen.size > 0 ? 'list-foot selection-bar' : ''}>
      <p role="status" class="number">
        {chosen.size > 0 && `${chosen.size} selected`}
        {elsewhere > 0 && <span class="muted">, {elsewhere} not on this page</span>}
      </p>
      {chosen.size > 0 && (
        <div class="actions">
          <Button look="quiet" onClick={() => select(kind.table, [...chosen], false)}>
            Clear selection
          </Button>
          <Button icon="trash" onClick={() => act(() => removeSelected(kind, chosen))}>
            Delete {chosen.size}…
          </Button>
        </div>
      )}
    </div>
  )
}
