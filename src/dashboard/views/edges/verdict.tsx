import { DiffLines } from '../../parts/diff.tsx'
import { NameLink } from '../../parts/links.tsx'
import { resources } from '../../state/simulator.ts'
import type { Decision } from '../../types.ts'

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

type Headers = Record<string, string | string[]>

const headerLines = (headers: Headers) =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => `${name}: ${value}`))

/** Removed headers, the other ones if known, and added headers. */
export function HeaderChanges({
  headers = {},
  added,
  removed,
}: {
  headers?: Headers
  added: Headers
  removed: readonly string[]
}) {
  const fresh = headerLines(added)
  const lowered = fresh.map(line => line.toLowerCase())
  const unchanged = headerLines(headers).filter(line => !lowered.includes(line.toLowerCase()))
  const groups = { removed, same: unchanged, added: fresh }
  const kinds = ['removed', 'same', 'added'] as const
  return <DiffLines lines={kinds.flatMap(kind => groups[kind].map(text => ({ kind, text })))} />
}
