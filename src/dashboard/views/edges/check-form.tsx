import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { Select, TextField } from '../../parts/inputs.tsx'
import { NameLink } from '../../parts/links.tsx'
import { PairsInput } from '../../parts/pairs-input.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { Section } from '../../parts/section.tsx'
import { useSubmit } from '../../state/actions.ts'
import { writer } from '../../state/signals.ts'
import { sandboxControl } from '../../state/simulator.ts'
import type { Json, TrafficVerdict } from '../../types.ts'
import { DecidedBy, HeaderChanges, Verdict } from './verdict.tsx'

/** The route and upstream of a request, even if it is blocked. */
function Destination({ route, upstream }: TrafficVerdict) {
  if (route === null) return <p class="muted">No route matches the path. The response is 404.</p>
  return (
    <p class="muted wrap">
      {route && (
        <>
          Route <NameLink text={route} />.{' '}
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

function Result({ source, result }: { source: string; result: TrafficVerdict }) {
  const { verdict, route, headers, added = {}, removed = [] } = result
  const isEmpty = headers && Object.keys(headers).length + removed.length === 0
  return (
    <>
      <p class="decision">
        <Verdict verdict={verdict} /> <span class="mono">{source}</span> <DecidedBy {...result} />
      </p>
      {'upstream' in result && <Destination {...result} />}
      {headers && route && (
        <div class="diff">
          <p class="muted">Headers sent to the upstream{isEmpty && ': none'}</p>
          <HeaderChanges headers={headers} added={added} removed={removed} />
        </div>
      )}
      <Reasons {...result} />
    </>
  )
}

interface Props {
  /** The request body, without the source IP. */
  body: Json
  label: string
  /** More inputs. */
  children?: ComponentChildren
}

/** Evaluates a request without sending it through the edge. */
function CheckForm({ body, label, children }: Props) {
  const source = useSignal('127.0.0.1')
  const checked = useSignal<{ source: string; result: TrafficVerdict } | undefined>(undefined)
  const { submit, error } = useSubmit(async () => {
    const source_ip = source.value.trim()
    const options = { body: { source_ip, ...body } }
    checked.value = {
      source: source_ip,
      result: await sandboxControl<TrafficVerdict>('POST', '/traffic/check', options),
    }
    return undefined
  })
  return (
    <form class="check-form" aria-label={label} onSubmit={submit}>
      <div class="check-fields">
        <TextField label="Source IP" text={source} />
        {children}
        <Button submit>Check</Button>
      </div>
      <div class="check-result" role="status">
        {error ? <p class="field-error">✕ {error.message}</p> : checked.value && <Result {...checked.value} />}
      </div>
    </form>
  )
}

/** Checks how the edge handles a connection, or a request if it accepts requests. */
export function EdgeCheck({ edge, acceptsRequests }: { edge: string; acceptsRequests: boolean }) {
  const path = useSignal('/')
  const headers = useSignal<Json>({})
  return (
    <details class="edge-check">
      <summary>
        Check a {acceptsRequests ? 'request' : 'connection'}
        <span class="hidden"> to {edge}</span>
      </summary>
      <CheckForm
        body={acceptsRequests ? { edge, path: path.value, headers: headers.value } : { edge }}
        label={`Check ${edge}`}
      >
        {acceptsRequests && (
          <>
            <TextField label="Path" text={path} />
            <PairsInput label="Headers" value={headers.value} onChange={writer(headers)} />
          </>
        )}
      </CheckForm>
    </details>
  )
}

/** Checks restriction types that apply to no edge. */
export function TypeCheck() {
  const type = useSignal('agent')
  return (
    <Section title="Check IP restrictions by type" class="type-check">
      <CheckForm body={{ type: type.value }} label="Check IP restrictions">
        <Select
          label="Type"
          value={type.value}
          choices={['agent', 'dashboard', 'api', 'endpoints']}
          onChange={writer(type)}
        />
      </CheckForm>
    </Section>
  )
}
