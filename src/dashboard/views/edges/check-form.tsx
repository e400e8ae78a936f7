import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/inputs.tsx'
import { NameLink } from '../../parts/links.tsx'
import { PairsInput } from '../../parts/pairs-input.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { useSubmit } from '../../state/actions.ts'
import { writer } from '../../state/signals.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json, TrafficVerdict } from '../../types.ts'
import { DecidedBy, HeaderChanges, Verdict } from './verdict.tsx'

function Result({ source, result }: { source: string; result: TrafficVerdict }) {
  const { verdict, route, upstream, headers, removed = [] } = result
  const isEmpty = headers && Object.keys(headers).length + removed.length === 0
  return (
    <>
      <p class="decision">
        <Verdict verdict={verdict} /> <span class="mono">{source}</span> <DecidedBy {...result} />
      </p>
      {route === null && <p class="muted">No route matches the path. The response is 404.</p>}
      {route !== null && upstream !== undefined && (
        <p class="muted wrap">
          {route && (
            <>
              Route <NameLink text={route} />.{' '}
            </>
          )}
          {upstream ? 'Upstream ' : 'No upstream. Traffic is not forwarded.'}
          {upstream && <code>{upstream}</code>}
        </p>
      )}
      {headers && route && (
        <div class="diff">
          <p class="muted">Headers sent to the upstream{isEmpty && ': none'}</p>
          <HeaderChanges {...result} />
        </div>
      )}
      <Reasons {...result} />
    </>
  )
}

interface Props {
  /** Without an edge, the form checks the IP restrictions of a type. */
  edge?: string
  acceptsRequests?: boolean
}

/** Checks how a connection, or a request if the edge accepts requests, is handled, without sending it. */
export function CheckForm({ edge, acceptsRequests }: Props) {
  const source = useSignal('127.0.0.1')
  const path = useSignal('/')
  const headers = useSignal<Json>({})
  const type = useSignal('agent')
  const checked = useSignal<{ source: string; result: TrafficVerdict } | undefined>(undefined)
  const { submit, error } = useSubmit(async () => {
    const source_ip = source.value.trim()
    const request = acceptsRequests && { path: path.value, headers: headers.value }
    const body = edge ? { source_ip, edge, ...request } : { source_ip, type: type.value }
    const result = await sandboxControl<TrafficVerdict>('POST', '/traffic/check', { body })
    checked.value = { source: source_ip, result }
    return undefined
  })
  return (
    <form class="check-form" aria-label={`Check ${edge ?? 'IP restrictions'}`} onSubmit={submit}>
      <div class="check-fields">
        <TextField label="Source IP" text={source} />
        {acceptsRequests && (
          <>
            <TextField label="Path" text={path} />
            <PairsInput label="Headers" value={headers.value} onChange={writer(headers)} />
          </>
        )}
        {!edge && (
          <Select
            label="Type"
            value={type.value}
            choices={['agent', 'dashboard', 'api', 'endpoints']}
            onChange={writer(type)}
          />
        )}
        <Button submit>Check</Button>
      </div>
      <div class="check-result" role="status">
        {error ? <p class="field-error">✕ {error.message}</p> : checked.value && <Result {...checked.value} />}
      </div>
    </form>
  )
}
