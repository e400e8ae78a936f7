import { Button } from '../../parts/button.tsx'
import { NameLink } from '../../parts/links.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { longTime, Method, Status, timeOf } from '../../parts/status.tsx'
import { partsOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { decisions, markOf } from '../../state/traffic.ts'
import type { Decision, Kind, Row } from '../../types.ts'
import { CheckForm } from './check-form.tsx'
import { Lane } from './lane.tsx'
import { Listening } from './listening.tsx'
import { DecidedBy, HeaderChanges, Verdict } from './verdict.tsx'

const MAX_DECISIONS = 8

/** Draws an edge from source to backend: one lane for the edge, or one per route. */
export function EdgePicture({ kind, row }: { kind: Kind; row: Row }) {
  const [part] = partsOf(kind.table)
  const listed = part && ((row[part.part_of.list] ?? []) as Row[])
  const routes = listed?.map(route => ({ table: part!.table, row: { ...route, [part!.part_of.by]: row.id } }))
  const edge = { table: kind.table, row }
  const latest = decisions.value.filter(each => each.edge === row.id).slice(0, MAX_DECISIONS)
  // A request without a matching route highlights the edge.
  const mark = part ? markOf(row.id) : ''
  return (
    <article class={`card edge ${mark}`} aria-label={row.id}>
      <div class="card-head">
        <h2 class="mono">
          <a href={hrefTo(['resources', kind.table, row.id])}>{row.id}</a>
        </h2>
        <p class="muted clip grow">{String(row.description ?? '')}</p>
        {part && (
          <Button look="small-button" icon="plus" href={hrefTo(['resources', part.table, 'new', row.id])}>
            Add route<span class="hidden"> to {row.id}</span>
          </Button>
        )}
      </div>
      <Listening kind={kind} edge={row} />
      {routes?.map(route => <Lane key={route.row.id} edge={edge} route={route} />) ?? <Lane edge={edge} />}
      {routes?.length === 0 && <p class="muted">No routes yet. Every request gets 404.</p>}
      {latest.length > 0 && (
        <section class="decisions" aria-label={`Latest decisions of ${row.id}`}>
          <h3>Latest decisions</h3>
          <ol>
            {latest.map(decision => (
              <DecisionLine key={decision.id} decision={decision} />
            ))}
          </ol>
        </section>
      )}
      <details class="edge-check">
        <summary>
          Check a {part ? 'request' : 'connection'}
          <span class="hidden"> to {row.id}</span>
        </summary>
        <CheckForm edge={row.id} acceptsRequests={part !== undefined} />
      </details>
    </article>
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
