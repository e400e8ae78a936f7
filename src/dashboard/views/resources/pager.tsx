import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/inputs.tsx'
import { amendQuery } from '../../state/place.ts'

const SIZES = ['25', '100', '1000', '10000']

export function Pager({ page, per, pages, items }: { page: number; per: string; pages: number; items: number }) {
  const first = items === 0 ? 0 : (page - 1) * Number(per) + 1
  const last = Math.min(items, page * Number(per))
  const go = (to: number) => () => amendQuery({ page: to <= 1 ? undefined : String(to) })
  return (
    <div class="list-foot">
      <span class="number muted">
        {first}–{last} of {items}
      </span>
      <div class="actions">
        <span class="muted">Rows</span>
        <Select
          bare
          label="Rows"
          value={per}
          choices={SIZES}
          onChange={size => amendQuery({ per: size, page: undefined })}
        />
        <Button look="quiet" icon="back" disabled={page <= 1} onClick={go(page - 1)}>
          Previous
        </Button>
        <Button look="quiet" disabled={page >= pages} onClick={go(page + 1)}>
          Next
        </Button>
      </div>
    </div>
  )
}
