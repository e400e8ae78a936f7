import { Icon } from '../../parts/icon.tsx'
import { partsOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { justDecided } from '../../state/traffic.ts'
import type { Kind, Row } from '../../types.ts'
import { DecisionList } from './decision-list.tsx'
import { EdgeCheck } from './edge-check.tsx'
import { Lane } from './lane.tsx'
import { Listening } from './listening.tsx'

/** Draws an edge from source to backend: one lane for the edge, or one per route. */
export function EdgePicture({ kind, row }: { kind: Kind; row: Row }) {
  const [part] = partsOf(kind.table)
  const routes = (part && (row[part.part_of.list] as Row[])) ?? []
  const addHref = part && hrefTo(['resources', part.table, 'new', row.id])
  // A request without a matching route highlights the edge.
  const mark = part && justDecided.value.has(row.id) ? `just-decided ${justDecided.value.get(row.id)}` : ''
  return (
    <article class={`card edge ${mark}`} aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', kind.table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip grow">{String(row.description ?? '')}</p>
        {addHref && (
          <a class="button small-button" href={addHref} aria-label={`Add route to ${row.id}`}>
            <Icon name="plus" /> Add route
          </a>
        )}
      </div>
      <Listening edge={row} />
      {!part && <Lane edge={row} holders={[{ table: kind.table, row }]} />}
      {part &&
        routes.map(route => (
          <Lane
            key={route.id}
            edge={row}
            holders={[
              { table: kind.table, row },
              { table: part.table, row: { ...route, [part.part_of.by]: row.id } },
            ]}
          />
        ))}
      {part && routes.length === 0 && <p class="muted">No routes yet. Every request gets 404.</p>}
      <DecisionList edge={row.id} />
      <EdgeCheck edge={row.id} acceptsRequests={part !== undefined} />
    </article>
  )
}
