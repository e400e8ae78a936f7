import { flag, module, references } from '../../../schema/index.ts'
import { NOT_A_POLICY } from '../../ip/ip-policy.ts'

/** Which sources may reach an edge or a route. docs/api.md 2.4, 4.3. */
export const ipRestrictionModule = module({
  key: 'ip_restriction',
  label: 'IP restriction module',
  of: { tcp_edges: '4.3', tls_edges: '10.9', https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    ip_policy_ids: references(['ip_policies'], {
      missing: 'edge_policy_missing',
      malformed: NOT_A_POLICY,
      whenDeleted: 'dangle',
      notEmpty: { under: 'module_without_policies', error: 'module_no_policies' },
      shownAs: 'ip_policies',
    }),
  },
})
