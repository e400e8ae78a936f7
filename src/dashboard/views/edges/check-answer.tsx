import { Reasons, Warnings } from '../../parts/reasons.tsx'
import type { TrafficVerdict as Answer } from '../../types.ts'
import { HeaderChanges } from './header-changes.tsx'
import { DecidedBy, RecordLink, Verdict } from './verdict.tsx'

/** Where a request would go. It is shown for a refused request too: then only the policies stop it. */
function Destination({ route, upstream }: Answer) {
  if (route === null) return <p class="muted">No route matches the path: the answer is 404.</p>
  return (
    <p class="muted wrap">
      {route && (
        <>
          Route <RecordLink id={route} />.{' '}
        </>
      )}
      {upstream ? (
        <>
          Upstream <code>{upstream}</code>
        </>
      ) : (
        'No upstream: nothing gets through.'
      )}
    </p>
  )
}

export function CheckAnswer({ source, answer }: { source: string; answer: Answer }) {
  const { verdict, route, headers, added = {}, removed = [] } = answer
  return (
    <>
      <p class="decision">
        <Verdict verdict={verdict} /> <span class="mono">{source}</span> <DecidedBy {...answer} />
      </p>
      {'upstream' in answer && <Destination {...answer} />}
      {headers && route && (
        <div class="diff">
          <p class="muted">Headers on the way to the upstream</p>
          {Object.keys(headers).length + removed.length === 0 ? (
            <p class="muted">None of those given.</p>
          ) : (
            <HeaderChanges headers={headers} added={added} removed={removed} />
          )}
        </div>
      )}
      <Reasons {...answer} />
      <Warnings warnings={answer.warnings} />
    </>
  )
}
