import { fail } from '../errors.ts'
import { PolicyMatcher, type PolicyRule, type Verdict } from '../ip/policy.ts'
import { ipPolicyRules, ipRestrictions } from '../resources/index.ts'
import type { Call, Gate } from '../sandbox/index.ts'
import type { Tables } from '../state/index.ts'

/** docs/api.md 4.2: restrictions of type api act on calls to this API. */
export function gatesOf(tables: Tables): Gate[] {
  const rulesOf = tables.of(ipPolicyRules.table)
  return tables
    .of(ipRestrictions.table)
    .where('type', 'api')
    .map(restriction => {
      const ids = restriction.ip_policy_ids as string[]
      const rules = ids.flatMap(id => rulesOf.where('ip_policy_id', id) as unknown as PolicyRule[])
      const matcher = ids.length > 0 ? new PolicyMatcher(rules) : undefined
      return { id: restriction.id, enforced: restriction.enforced === true, matcher }
    })
}

/** Each restriction is judged alone; all that are enforced must let the source pass, the others only warn. */
export function checkSource(call: Call, gates: readonly Gate[]) {
  for (const { id, enforced, matcher } of gates) {
    const verdict = matcher ? matcher.judge(call.sourceIp) : withoutPolicies(call)
    if (verdict.passes) continue
    if (enforced) fail('source_blocked', { source_ip: call.sourceIp, restriction: id, why: verdict.why })
    call.warn(`The IP restriction ${id} is not enforced; if it were, it would block ${call.sourceIp}: ${verdict.why}.`)
  }
}

const withoutPolicies = (call: Call): Verdict => ({
  passes: call.assume('no_policies_attached') === 'pass',
  why: 'it has no IP policies, and no_policies_attached=refuse is assumed',
})
