import { collection, text } from '../../schema/index.ts'

/** A set of rules, which IP restrictions and modules of edges refer to. docs/api.md 4.2, 10.1. */
export const ipPolicies = collection({
  name: 'ip_policy',
  table: 'ip_policies',
  label: 'IP policy',
  path: '/ip_policies',
  prefix: 'ipp',
  section: '10.1',
  listAs: 'ip_policies',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
  },
})
