import * as z from 'zod'
import { parseCidr } from '../ip/cidr.ts'
import { issue, record, text } from '../schema/index.ts'

const cidr = z
  .string()
  .check(ctx => {
    if (!parseCidr(ctx.value)) issue(ctx, { expected: 'a CIDR block like 10.0.0.0/8 or 2001:db8::/32' })
  })
  .meta({ examples: ['10.0.0.0/8', '2001:db8::/32'] })

const rule = z.strictObject({ action: z.enum(['allow', 'deny']), cidr, description: z.string().optional() })

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
    rules: { schema: z.array(rule), default: [] },
  },
})
