import { fail } from '../contract/errors.ts'
import type { Verdict } from '../ip/policy.ts'
import type { Call } from '../sandbox/index.ts'
import type { Restriction } from '../state/index.ts'

/** Each restriction is judged alone; all that are enforced must let the source pass, the others only warn. */
export function checkSource(call: Call, restrictions: readonly Restriction[]) {
  for (const { id, enforced, matcher } of restrictions) {
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
