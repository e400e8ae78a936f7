import { Reasons } from '../../parts/reasons.tsx'
import { longTime, Method, Status, shortTime } from '../../parts/status.tsx'
import { decisions } from '../../state/traffic.ts'
import type { Decision } from '../../types.ts'
import { HeaderChanges } from './header-changes.tsx'
import { DecidedBy, RecordLink, Verdict } from './verdict.tsx'

const MAX_SHOWN = 8

function DecisionLine({ decision }: { decision: Decision }) {
  const { at, id, verdict, source_ip, method, path, route, status, headers, failure } = decision
  return (
    <li class="decision" aria-label={`Decision ${id}`}>
      <time class="muted number" dateTime={at} title={longTime(at)}>
        {shortTime(at)}
      </time>
      <Verdict verdict={verdict} />
      <span class="mono">{source_ip}</span>
      {method && (
        <span class="wrap">
          <Method method={method} /> <span class="mono">{path}</span>
          {route && (
            <>
              {' '}
              → <RecordLink id={route} />
            </>
          )}
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

/** The latest decisions of an edge. */
export function DecisionList({ edge }: { edge: string }) {
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
