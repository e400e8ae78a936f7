import { flag, module, references } from '../../schema/index.ts'
import { NOT_A_POLICY } from '../ip/ip-policy.ts'

/** Which sources may reach a TCP edge. docs/api.md 2.4, 4.3. */
export const tcpEdgeIpRestriction = module({
  name: 'tcp_edge_ip_restriction_module',
  label: 'IP restriction module',
  section: '4.3',
  fields: {
    enabled: flag({ default: true }),
    ip_policy_ids: references('ip_policies', {
      missing: 'edge_policy_missing',
      malformed: NOT_A_POLICY,
      whenDeleted: 'dangle',
      notEmpty: { under: 'module_without_policies', error: 'module_no_policies' },
      shownAs: 'ip_policies',
    }),
  },
  of: { table: 'tcp_edges', key: 'ip_restriction' },
})
