import { prefixOf } from '../../ip/cidr.ts'
import { choice, collection, reference, text, textShape, value } from '../../schema/index.ts'

const cidr = textShape({ examples: ['10.0.0.0/8', '2001:db8::/32'] }, value =>
  prefixOf(value) !== undefined ? undefined : { expected: 'a CIDR block like 10.0.0.0/8 or 2001:db8::/32' },
)

/** A block of source addresses that a policy allows or denies. docs/api.md 4.2, 10.2. */
export const ipPolicyRules = collection({
  name: 'ip_policy_rule',
  table: 'ip_policy_rules',
  label: 'IP policy rule',
  path: '/ip_policy_rules',
  prefix: 'ipr',
  section: '10.2',
  listAs: 'ip_policy_rules',
  filterable: ['id', 'created_at', 'description', 'metadata', 'ip_policy', 'cidr', 'action'],
  neighbour: true,
  partOf: { table: 'ip_policies', by: 'ip_policy_id', list: 'rules', unnamed: true },
  fields: {
    ip_policy_id: reference(['ip_policies'], {
      missing: 'bad_reference',
      required: 'invalid_value',
      createOnly: true,
      shownAs: 'ip_policy',
    }),
    action: choice(['allow', 'deny'], { error: 'invalid_value', required: 'invalid_value', createOnly: true }),
    cidr: value(cidr, { required: 'invalid_value' }),
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
  },
})
