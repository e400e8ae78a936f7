import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'
import { hrefTo } from '../../state/place.ts'
import type { Row } from '../../types.ts'
import type { PartKind } from './kinds.ts'
import { capital, gist } from './labels.ts'

const MOST = 100

/** What belongs to a record and goes with it: the rules of a policy, the routes of an edge. */
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
      {rows.length === 0 && <p class="muted">It has none.</p>}
      <ul class="values">
        {rows.slice(0, MOST).map(each => (
          <li key={each.id} class="part">
            <a href={hrefTo(['resources', part.table, each.id])}>{each.id}</a>
            <span class="mono wrap">{gist(part, each)}</span>
            <span class="muted wrap">{String(each.description ?? '')}</span>
          </li>
        ))}
        {rows.length > MOST && <li class="muted">and {rows.length - MOST} more</li>}
      </ul>
    </Section>
  )
}
