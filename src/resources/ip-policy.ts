import { parseCidr } from '../ip/cidr.ts'
import { listOf, objectOf, oneOf, record, text, textShape } from '../schema/index.ts'

const cidr = textShape({ examples: ['10.0.0.0/8', '2001:db8::/32'] }, value =>
  parseCidr(value) ? undefined : { expected: 'a CIDR block like 10.0.0.0/8 or 2001:db8::/32' },
)

const rule = objectOf({
  action: { shape: oneOf(['allow', 'deny']), required: true },
  cidr: { shape: cidr, required: true },
  description: { shape: textShape() },
})

/** What IP restrictions are made of. It has no routes of its own. docs/api.md 4.2. */
export const ipPolicies = record({
  name: 'ip_policy',
  table: 'ip_policies',
  label: 'IP policy',
  prefix: 'ipp',
  section: '4.2',
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
    rules: { shape: listOf(rule), default: [] },
  },
})
