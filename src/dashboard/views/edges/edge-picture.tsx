import { Button } from '../../parts/button.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { longTime, Method, Status, timeOf } from '../../parts/status.tsx'
import { partsOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { decisions, justDecided } from '../../state/traffic.ts'
import type { Decision, Kind, Row } from '../../types.ts'
import { EdgeCheck } from './check-form.tsx'
import { Lane } from './lane.tsx'
import { Listening } from './listening.tsx'
import { DecidedBy, HeaderChanges, Verdict } from './verdict.tsx'

/** Draws an edge from source to backend: one lane for the edge, or one per route. */
export function EdgePicture({ kind, row }: { kind: Kind; row: Row }) {
  const [part] = partsOf(kind.table)
  const routes = (part && (row[part.part_of.list] as Row[])) ?? []
  const edge = { table: kind.table, row }
  // A request without a matching route highlights the edge.
  const mark = part && justDecided.value.has(row.id) ? `just-decided ${justDecided.value.get(row.id)}` : ''
  return (
    <article class={`card edge ${mark}`} aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', kind.table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip grow">{String(row.description ?? '')}</p>
        {part && (
          <Button
            look="small-button"
            icon="plus"
            label={`Add route to ${row.id}`}
            href={hrefTo(['resources', part.table, 'new', row.id])}
          >
            Add route
          </Button>
        )}
      </div>
      <Listening kind={kind} edge={row} />
      {!part && <Lane edge={row} holders={[edge]} />}
      {part &&
        routes.map(route => (
          <Lane
            key={route.id}
            edge={row}
            holders={[edge, { table: part.table, row: { ...route, [part.part_of.by]: row.id } }]}
          />
        ))}
      {part && routes.length === 0 && <p class="muted">No routes yet. Every request gets 404.</p>}
      <Decisions edge={row.id} />
      <EdgeCheck edge={row.id} acceptsRequests={part !== undefined} />
    </article>
  )
}

const MAX_SHOWN = 8

/** The latest decisions of an edge. */
function Decisions({ edge }: { edge: string }) {
  const own = decisions.value.filter(each => each.edge === edge).slice(0, MAX_SHOWN)
  if (own.length === 0) return null
  return (
    <section class="decisions" aria-label={`Latest decisions of ${edge}`}>
      <h3>Latest decisions</h3>
      <ol>
        {own.map(decision => (
          <DecisionLine key={decision.id} decision={decision} />
        ))}
      </ol>
    </section>
  )
}

function DecisionLine({ decision }: { decision: Decision }) {
  const { at, id, verdict, source_ip, method, path, route, status, headers, failure } = decision
  return (
    <li class="decision" aria-label={`Decision ${id}`}>
      <time class="muted number" dateTime={at} title={longTime(at)}>
        {timeOf(at)}
      </time>
      <Verdict verdict={verdict} />
      <span class="mono">{source_ip}</span>
      {method && (
        <span class="wrap">
          <Method method={method} /> <span class="mono">{path}</span>
          {route && ' → '}
          {route && <NameLink text={route} />}
        </span>
      )}
      {status !== null && <Status status={status} />}
      {failure && <span class="tag warn">✕ not forwarded</span>}
      <DecidedBy {...decision} />
      <details>
        <summary>
          Why <span class="hidden">this decision ({id})</span>
        </summary>
        <Reasons {...decision} />
      </details>
      {headers && (
        <div class="diff">
          <HeaderChanges {...headers} />
        </div>
      )}
    </li>
  )
}
