import { Reasons, Warnings } from '../../parts/reasons.tsx'
import type { TrafficVerdict } from '../../types.ts'
import { HeaderChanges } from './header-changes.tsx'
import { DecidedBy, RecordLink, Verdict } from './verdict.tsx'

/** Where a request would go. It is shown for a refused request too: then only the policies stop it. */
function Destination({ route, upstream }: TrafficVerdict) {
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

export function CheckResult({ source, result }: { source: string; result: TrafficVerdict }) {
  const { verdict, route, headers, added = {}, removed = [] } = result
  return (
    <>
      <p class="decision">
        <Verdict verdict={verdict} /> <span class="mono">{source}</span> <DecidedBy {...result} />
      </p>
      {'upstream' in result && <Destination {...result} />}
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
      <Reasons {...result} />
      <Warnings warnings={result.warnings} />
    </>
  )
}
