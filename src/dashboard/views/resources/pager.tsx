import { Icon } from '../../parts/icon.tsx'
import { amendQuery } from '../../state/place.ts'

const SIZES = ['25', '100', '1000', '10000']

interface Props {
  page: number
  per: string
  pages: number
  items: number
}

export function Pager({ page, per, pages, items }: Props) {
  const first = items === 0 ? 0 : (page - 1) * Number(per) + 1
  const last = Math.min(items, page * Number(per))
  return (
    <div class="list-foot">
      <span class="number muted">
        {first}–{last} of {items}
      </span>
      <div class="actions">
        <label class="check">
          <span class="muted">Rows</span>
          <select value={per} onChange={event => amendQuery({ per: event.currentTarget.value, page: undefined })}>
            {SIZES.map(size => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="button quiet"
          disabled={page <= 1}
          onClick={() => amendQuery({ page: page <= 2 ? undefined : String(page - 1) })}
        >
          <Icon name="back" /> Previous
        </button>
        <button
          type="button"
          class="button quiet"
          disabled={page >= pages}
          onClick={() => amendQuery({ page: String(page + 1) })}
        >
          Next
        </button>
      </div>
    </div>
  )
}
