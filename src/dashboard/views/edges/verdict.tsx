import { type DiffLine, DiffLines } from '../../parts/diff.tsx'
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

interface HeaderProps {
  /** All headers, if known. */
  headers?: Record<string, string | string[]>
  added: Record<string, string>
  removed: readonly string[]
}

/** Added, removed and other headers. */
export function HeaderChanges({ headers = {}, added, removed }: HeaderProps) {
  const fresh = Object.entries(added).map(([name, value]) => `${name}: ${value}`)
  const lowered = fresh.map(line => line.toLowerCase())
  const all = Object.entries(headers).flatMap(([name, values]) => [values].flat().map(value => `${name}: ${value}`))
  const unchanged = all.filter(line => !lowered.includes(line.toLowerCase()))
  const lines: [DiffLine['kind'], readonly string[]][] = [
    ['removed', removed],
    ['same', unchanged],
    ['added', fresh],
  ]
  return <DiffLines lines={lines.flatMap(([kind, texts]) => texts.map(text => ({ kind, text })))} />
}
