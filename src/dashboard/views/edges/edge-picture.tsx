import { Icon } from '../../parts/icon.tsx'
import { hrefTo } from '../../state/place.ts'
import { justDecided } from '../../state/traffic.ts'
import type { Kind, Row } from '../../types.ts'
import { partsOf } from '../resources/kinds.ts'
import { DecisionList } from './decision-list.tsx'
import { EdgeCheck } from './edge-check.tsx'
import { Lane } from './lane.tsx'
import { Listening } from './listening.tsx'

/** From the source through the modules to the backend: a lane for the edge, or for each of its routes. */
export function EdgePicture({ kind, row }: { kind: Kind; row: Row }) {
  const [part] = partsOf(kind.table)
  const routes = (part && (row[part.part_of.list] as Row[])) ?? []
  const toAdd = part && hrefTo(['resources', part.table, 'new', row.id])
  // A request that matches no route marks the edge.
  const mark = part && justDecided.value.has(row.id) ? `just-decided ${justDecided.value.get(row.id)}` : ''
  return (
    <article class={`card edge ${mark}`} aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', kind.table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip grow">{String(row.description ?? '')}</p>
        {toAdd && (
          <a class="button small-button" href={toAdd} aria-label={`Add route to ${row.id}`}>
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
      {part && routes.length === 0 && <p class="muted">It has no routes: nothing gets through.</p>}
      <DecisionList edge={row.id} />
      <EdgeCheck edge={row.id} takesRequests={part !== undefined} />
    </article>
  )
}
