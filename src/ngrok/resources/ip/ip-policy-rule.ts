import { blockOf, lowestOf, prefixOf } from '../../../basics/cidr.ts'
import { choice, collection, reference, textShape, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { NOT_A_POLICY } from './ip-policy.ts'

const EXPECTED = 'a CIDR block like 10.0.0.0/8 or 2001:db8::/32'

const cidr = textShape({ examples: ['198.51.100.0/24', '2001:db8::/32'] }, value => {
  if (prefixOf(value) !== undefined) return undefined
  const near = blockOf(value)
  return { error: near ? errors.cidr_without_mask : errors.bad_cidr, expected: EXPECTED, near }
})

export const ipPolicyRules = collection({
  name: 'ip_policy_rule',
  table: 'ip_policy_rules',
  label: 'IP policy rule',
  path: '/ip_policy_rules',
  prefix: 'ipr',
  section: '10.2',
  listAs: 'ip_policy_rules',
  event: 'ip_policy_rule',
  filterable: ['id', 'created_at', 'description', 'metadata', 'ip_policy', 'cidr', 'action'],
  partOf: { table: 'ip_policies', by: 'ip_policy_id', list: 'rules', unnamed: true },
  fields: {
    ip_policy_id: reference(['ip_policies'], {
      missing: errors.rule_policy_missing,
      malformed: NOT_A_POLICY,
      required: errors.rule_field_missing,
      createOnly: true,
      shownAs: 'ip_policy',
    }),
    action: choice(['allow', 'deny'], {
      error: errors.bad_rule_action,
      required: errors.bad_rule_action,
      createOnly: true,
    }),
    cidr: value(cidr, {
      required: errors.rule_field_missing,
      content: 'address',
      describe: 'Lowest address and mask of an IPv4 or IPv6 block, unique in the policy',
    }),
    ...described({ description: errors.rule_description_too_long }),
  },
  errors: { missing: errors.rule_not_found, noValues: errors.rule_update_empty },
  checkDelete({ id, ip_policy_id: policy }, { fail, tables }) {
    if (tables.where('ip_policy_rules', 'ip_policy_id', policy).length > 1) return
    const ofDashboard = tables.where('ip_restrictions', 'type', 'dashboard')
    const user = ofDashboard.find(({ ip_policy_ids }) => (ip_policy_ids as unknown[]).includes(policy))
    if (user) fail(errors.only_rule_in_use, { id, policy, restriction: user.id })
  },
  // Only for requests, and so not `unique`: an anonymised import repeats blocks, because few are reserved for examples.
  check({ id, cidr, ip_policy_id: policy }, before, { fail, tables }) {
    if (cidr === before?.cidr) return
    const lowest = lowestOf(cidr)
    if (lowest !== cidr) fail(errors.cidr_not_lowest, { field: 'cidr', received: JSON.stringify(cidr), lowest })
    const prefix = prefixOf(cidr)
    const twin = tables
      .where('ip_policy_rules', 'ip_policy_id', policy)
      .find(other => other.id !== id && prefixOf(String(other.cidr)) === prefix)
    if (twin) fail(errors.cidr_twice, { field: 'cidr', cidr, existing: twin.id, policy })
  },
})
