import { type DiffLine, DiffLines } from '../../parts/diff.tsx'
import { NameLink } from '../../parts/links.tsx'
import { resources } from '../../state/simulator.ts'
import type { Decision, TrafficVerdict } from '../../types.ts'

export const Verdict = ({ verdict }: { verdict: Decision['verdict'] }) => {
  const [kind, symbol, text] = verdict === 'allow' ? ['good', '✓', 'allowed'] : ['bad', '✕', 'blocked']
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{symbol}</span> {text}
    </span>
  )
}

/** The rule, restriction or module that made the decision. */
export function DecidedBy({ rule, decided_by }: Pick<Decision, 'rule' | 'decided_by'>) {
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
export function HeaderChanges({ headers, added, removed = [] }: Pick<TrafficVerdict, 'headers' | 'added' | 'removed'>) {
  const fresh = headerLines(added)
  const lowered = fresh.map(line => line.toLowerCase())
  const same = headerLines(headers).filter(line => !lowered.includes(line.toLowerCase()))
  const groups = Object.entries({ removed, same, added: fresh }) as [DiffLine['kind'], string[]][]
  return <DiffLines lines={groups.flatMap(([kind, texts]) => texts.map(text => ({ kind, text })))} />
}
