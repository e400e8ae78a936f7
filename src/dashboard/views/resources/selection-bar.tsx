import { Icon } from '../../parts/icon.tsx'
import { act } from '../../state/actions.ts'
import type { Kind, Row } from '../../types.ts'
import { removeSelected } from './remove-records.tsx'
import { select } from './selection.ts'

interface Props {
  kind: Kind
  chosen: ReadonlySet<string>
  /** The visible rows. */
  rows: Row[]
}

/** The number of selected records, and actions for them. */
export function SelectionBar({ kind, chosen, rows }: Props) {
  const shown = rows.filter(({ id }) => chosen.has(id)).length
  const elsewhere = chosen.size - shown
  return (
    <div class={chosen.size > 0 ? 'list-foot selection-bar' : ''}>
      <p role="status" class="number">
        {chosen.size > 0 && `${chosen.size} selected`}
        {elsewhere > 0 && <span class="muted">, {elsewhere} not on this page</span>}
      </p>
      {chosen.size > 0 && (
        <div class="actions">
          <button type="button" class="button quiet" onClick={() => select(kind.table, [...chosen], false)}>
            Clear selection
          </button>
          <button type="button" class="button" onClick={() => act(() => removeSelected(kind, chosen))}>
            <Icon name="trash" /> Delete {chosen.size}…
          </button>
        </div>
      )}
    </div>
  )
}
