import { flag, module, references } from '../schema/index.ts'

/** Which sources may reach a TCP edge. docs/api.md 2.4, 4.3. */
export const tcpEdgeIpRestriction = module({
  name: 'tcp_edge_ip_restriction_module',
  label: 'IP restriction module',
  path: '/edges/tcp/{id}/ip_restriction',
  section: '4.3',
  fields: {
    enabled: flag({ default: true }),
    ip_policy_ids: references('ip_policies', { missing: 'edge_policy_missing', shownAs: 'ip_policies' }),
  },
  of: { table: 'tcp_edges', key: 'ip_restriction' },
  params: { record: 'id' },
  errors: { missing: 'edge_missing', badId: 'bad_edge_id' },
})
