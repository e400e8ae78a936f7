import { Reasons, Warnings } from '../../parts/reasons.tsx'
import type { TrafficVerdict } from '../../types.ts'
import { HeaderChanges } from './header-changes.tsx'
import { DecidedBy, RecordLink, Verdict } from './verdict.tsx'

/** The route and upstream of a request, even if it is blocked. */
function Destination({ route, upstream }: TrafficVerdict) {
  if (route === null) return <p class="muted">No route matches the path. The response is 404.</p>
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
        'No upstream. Traffic is not forwarded.'
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
          <p class="muted">Headers sent to the upstream</p>
          {Object.keys(headers).length + removed.length === 0 ? (
            <p class="muted">No headers.</p>
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
