import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { DiffLines, diffLines } from '../../parts/diff.tsx'
import { Select, TextField } from '../../parts/inputs.tsx'
import { NameLink } from '../../parts/links.tsx'
import { PairsInput } from '../../parts/pairs-input.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { longTime, Method, Status, timeOf } from '../../parts/status.tsx'
import { useSubmit } from '../../state/actions.ts'
import { writer } from '../../state/signals.ts'
import { resources, sandboxControl } from '../../state/simulator.ts'
import { decisions } from '../../state/traffic.ts'
import type { Decision, Json, TrafficVerdict } from '../../types.ts'

const MAX_DECISIONS = 8

/** `✓ allowed 127.0.0.1` */
function Verdict({ verdict, source_ip }: Pick<Decision, 'verdict' | 'source_ip'>) {
  const [kind, symbol, text] = verdict === 'allow' ? ['good', '✓', 'allowed'] : ['bad', '✕', 'blocked']
  return (
    <>
      <span class={`status ${kind}`}>
        <span aria-hidden="true">{symbol}</span> {text}
      </span>{' '}
      <span class="mono">{source_ip}</span>
    </>
  )
}

/** The rule, restriction or module that made the decision. */
function DecidedBy({ rule, decided_by }: Pick<Decision, 'rule' | 'decided_by'>) {
  if (decided_by === 'nothing') return <span class="muted">no restriction applies</span>
  const module = resources.value?.modules.find(({ of }) => of.key === decided_by)
  if (module && decided_by !== 'ip_restriction') return <span class="muted">by its {module.label}</span>
  return (
    <span class="muted">
      by{' '}
      {rule && (
        <>
          <NameLink text={rule.id} /> ({rule.action} {rule.cidr}) of <NameLink text={rule.ip_policy_id} /> in{' '}
        </>
      )}
      {decided_by === 'ip_restriction' ? 'its module' : <NameLink text={decided_by} />}
      {!rule && ': no rule matched'}
    </span>
  )
}

const headerLines = (headers: TrafficVerdict['headers'] = {}) =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => `${name}: ${value}`))

/** Removed headers, the other ones if known, and added headers. */
function headerDiff({ headers, added, removed = [] }: Pick<TrafficVerdict, 'headers' | 'added' | 'removed'>) {
  const fresh = headerLines(added)
  const lowered = fresh.map(line => line.toLowerCase())
  const same = headerLines(headers).filter(line => !lowered.includes(line.toLowerCase()))
  return [...diffLines('removed', removed), ...diffLines('same', same), ...diffLines('added', fresh)]
}

function DecisionLine(decision: Decision) {
  const { at, id, method, path, route, status, headers, failure } = decision
  return (
    <li class="decision" aria-label={`Decision ${id}`}>
      <time class="muted number" dateTime={at} title={longTime(at)}>
        {timeOf(at)}
      </time>
      <Verdict {...decision} />
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
      {headers && <DiffLines lines={headerDiff(headers)} />}
    </li>
  )
}

/** The latest decisions of an edge. */
export function Decisions({ edge }: { edge: string }) {
  const latest = decisions.value.filter(each => each.edge === edge).slice(0, MAX_DECISIONS)
  if (latest.length === 0) return null
  return (
    <section class="decisions" aria-label={`Latest decisions of ${edge}`}>
      <h3>Latest decisions</h3>
      <ol>
        {latest.map(decision => (
          <DecisionLine key={decision.id} {...decision} />
        ))}
      </ol>
    </section>
  )
}

type Checked = TrafficVerdict & { source_ip: string }

/** A predicted decision. */
function Prediction(checked: Checked) {
  const { route, upstream, headers } = checked
  const lines = headerDiff(checked)
  return (
    <>
      <p class="decision">
        <Verdict {...checked} /> <DecidedBy {...checked} />
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
        <DiffLines lines={lines}>
          <p class="muted">Headers sent to the upstream{lines.length === 0 && ': none'}</p>
        </DiffLines>
      )}
      <Reasons {...checked} />
    </>
  )
}

/**
 * Checks how a connection, or a request if the edge accepts requests, is handled, without sending it. Without an edge,
 * checks the IP restrictions of a type.
 */
export function CheckForm({ edge, acceptsRequests }: { edge?: string; acceptsRequests?: boolean }) {
  const source = useSignal('127.0.0.1')
  const path = useSignal('/')
  const headers = useSignal<Json>({})
  const type = useSignal('agent')
  const checked = useSignal<Checked | undefined>(undefined)
  const { submit, error } = useSubmit(async () => {
    const source_ip = source.value.trim()
    const request = acceptsRequests && { path: path.value, headers: headers.value }
    const body = edge ? { source_ip, edge, ...request } : { source_ip, type: type.value }
    checked.value = { ...(await sandboxControl<TrafficVerdict>('POST', '/traffic/check', { body })), source_ip }
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
        {error ? <p class="field-error">✕ {error.message}</p> : checked.value && <Prediction {...checked.value} />}
      </div>
    </form>
  )
}
