import { collection, text } from '../../schema/index.ts'

/** What IP restrictions are made of: a set of rules. docs/api.md 4.2, 10.1. */
export const ipPolicies = collection({
  name: 'ip_policy',
  table: 'ip_policies',
  label: 'IP policy',
  path: '/ip_policies',
  prefix: 'ipp',
  section: '10.1',
  listAs: 'ip_policies',
  filterable: true,
  neighbour: true,
  fields: {
    description: text({ maxBytes: 255 }),
    metadata: text({ maxBytes: 4096 }),
  },
})
