import { capital } from '../../../basics/text.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import type { PartKind } from '../../state/kinds.ts'
import { summaryOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import type { Row } from '../../types.ts'

const MAX_ROWS = 100

/** Child records, deleted with their parent: rules of a policy, routes of an edge. */
export function RecordParts({ part, row }: { part: PartKind; row: Row }) {
  const { list } = part.part_of
  const rows = row[list] as Row[]
  return (
    <Section
      title={capital(list)}
      actions={
        <a class="button" href={hrefTo(['resources', part.table, 'new', row.id])}>
          <Icon name="plus" /> Add {list.replace(/s$/, '')}
        </a>
      }
    >
      {rows.length === 0 && <p class="muted">No {list} yet.</p>}
      <ul class="values">
        {rows.slice(0, MAX_ROWS).map(each => (
          <li key={each.id} class="part">
            <a href={hrefTo(['resources', part.table, each.id])}>{each.id}</a>
            <span class="mono wrap">{summaryOf(part, each)}</span>
            <span class="muted wrap">{String(each.description ?? '')}</span>
          </li>
        ))}
        {rows.length > MAX_ROWS && <li class="muted">and {rows.length - MAX_ROWS} more</li>}
      </ul>
    </Section>
  )
}
