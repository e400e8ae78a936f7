import { flag, module, references } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { questions } from '../../../questions.ts'
import { NOT_A_POLICY } from '../../ip/ip-policy.ts'
import { MODULE_LIMITS } from './limits.ts'

export const ipRestrictionModule = module({
  key: 'ip_restriction',
  label: 'IP restriction module',
  of: { tcp_edges: '4.3', tls_edges: '10.9', https_edge_routes: '10.9' },
  fields: {
    enabled: flag({ default: true }),
    ip_policy_ids: references(['ip_policies'], {
      missing: errors.edge_policy_missing,
      malformed: NOT_A_POLICY,
      whenDeleted: 'dangle',
      notEmpty: { under: questions.module_without_policies, error: errors.module_no_policies },
      shownAs: 'ip_policies',
      describe: 'Policies for source addresses, up to 100',
    }),
  },
  check({ ip_policy_ids: ids }, at, { fail }) {
    const { length } = ids
    const expected = `up to ${MODULE_LIMITS.entries} IP policies`
    if (length > MODULE_LIMITS.entries)
      fail(errors.too_many_policies, { field: `${at}ip_policy_ids`, expected, received: `${length}` })
  },
})
