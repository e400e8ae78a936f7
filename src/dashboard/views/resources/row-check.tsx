import type { Row } from '../../types.ts'
import { select, toggle } from './selection.ts'

interface Props {
  table: string
  rows: Row[]
  chosen: ReadonlySet<string>
}

/** Selects a row, or a range with Shift. */
export function RowCheck({ table, rows, at, chosen, tabIndex }: Props & { at: number; tabIndex: number }) {
  const { id } = rows[at]!
  return (
    <span class="row-check">
      <label>
        <span class="hidden">Select {id}</span>
        <input
          type="checkbox"
          tabIndex={tabIndex}
          checked={chosen.has(id)}
          onClick={event => toggle(table, rows, at, event.shiftKey)}
        />
      </label>
    </span>
  )
}

/** Selects all rows or none. */
export function PageCheck({ table, rows, chosen }: Props) {
  const count = rows.filter(({ id }) => chosen.has(id)).length
  const all = count > 0 && count === rows.length
  return (
    <span class="row-check">
      <label>
        <span class="hidden">Select all rows on this page</span>
        <input
          ref={input => {
            if (input) input.indeterminate = count > 0 && !all
          }}
          type="checkbox"
          disabled={rows.length === 0}
          checked={all}
          onChange={() =>
            select(
              table,
              rows.map(({ id }) => id),
              !all,
            )
          }
        />
      </label>
    </span>
  )
}
