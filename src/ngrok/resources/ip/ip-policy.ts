import { collection } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'

export const NOT_A_POLICY = { error: errors.bad_policy_id, form: /^ipp_/ } as const

export const ipPolicies = collection({
  name: 'ip_policy',
  table: 'ip_policies',
  label: 'IP policy',
  path: '/ip_policies',
  prefix: 'ipp',
  section: '10.1',
  listAs: 'ip_policies',
  event: 'ip_policy',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  fields: described(),
  moved: { action: errors.action_of_policy },
  errors: { missing: errors.policy_not_found, noValues: errors.policy_update_empty },
})
