import { tableOf } from '../../state/kinds.ts'
import { hrefTo } from '../../state/place.ts'
import { resources } from '../../state/simulator.ts'
import type { Decision } from '../../types.ts'

/** An id as a link to its record. */
export function RecordLink({ id }: { id: string }) {
  const table = tableOf(id, resources.value?.kinds.map(kind => kind.table) ?? [])
  return table ? (
    <a class="mono wrap" href={hrefTo(['resources', table, id])}>
      {id}
    </a>
  ) : (
    <span class="mono wrap">{id}</span>
  )
}

export const Verdict = ({ verdict }: { verdict: Decision['verdict'] }) =>
  verdict === 'allow' ? (
    <span class="status good">
      <span aria-hidden="true">✓</span> allowed
    </span>
  ) : (
    <span class="status bad">
      <span aria-hidden="true">✕</span> blocked
    </span>
  )

/** The rule, restriction or module that made the decision. */
export function DecidedBy({ rule, decided_by }: Pick<Decision, 'rule' | 'decided_by'>) {
  if (decided_by === 'nothing') return <span class="muted">no restriction applies</span>
  const module = resources.value?.modules.find(({ of }) => of.key === decided_by)
  if (module && decided_by !== 'ip_restriction') return <span class="muted">by its {module.label}</span>
  const holder = decided_by === 'ip_restriction' ? 'its module' : <RecordLink id={decided_by} />
  return (
    <span class="muted">
      by{' '}
      {rule && (
        <>
          <RecordLink id={rule.id} /> ({rule.action} {rule.cidr}) of <RecordLink id={rule.ip_policy_id} /> in{' '}
        </>
      )}
      {holder}
      {!rule && ': no rule matched'}
    </span>
  )
}
