import { choice, collection, flag, references } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { described } from '../texts.ts'
import { NOT_A_POLICY } from './ip-policy.ts'

export const ipRestrictions = collection({
  name: 'ip_restriction',
  table: 'ip_restrictions',
  label: 'IP restriction',
  path: '/ip_restrictions',
  prefix: 'ipx',
  section: '4.2',
  listAs: 'ip_restrictions',
  event: 'ip_restriction',
  filterable: ['id', 'created_at', 'description', 'metadata'],
  fields: {
    ...described(),
    enforced: flag({ default: false, describe: 'Block traffic that fails (false only adds a warning)' }),
    type: choice(['dashboard', 'api', 'agent', 'endpoints'], {
      error: errors.bad_restriction_type,
      required: errors.bad_restriction_type,
      requiredUnder: questions.required_fields,
      createOnly: true,
      describe: 'Kind of traffic',
    }),
    ip_policy_ids: references(['ip_policies'], {
      missing: errors.policy_missing,
      malformed: NOT_A_POLICY,
      whenDeleted: errors.policy_restricts,
      notEmpty: { under: questions.restriction_without_policies, error: errors.no_policies },
      shownAs: 'ip_policies',
    }),
  },
  indexes: ['type'],
  // Some clients send an empty list with every update.
  onUpdate(given, { assume }) {
    if (given.ip_policy_ids?.length !== 0 || assume(questions.empty_policy_list_on_update) !== 'keep') return given
    const { ip_policy_ids: _empty, ...rest } = given
    return rest
  },
  check(row, before, { assume, fail, tables }) {
    const isEmptied = row.ip_policy_ids.length === 0 && (before?.ip_policy_ids.length ?? 0) > 0
    if (isEmptied && assume(questions.empty_policy_list_on_update) === 'reject')
      fail(errors.no_policies, { field: 'ip_policy_ids' })
    if (!before && assume(questions.restrictions_per_type) === 'one') {
      const existing = tables.where('ip_restrictions', 'type', row.type)[0]
      if (existing) fail(errors.one_per_type, { field: 'type', type: row.type, existing: existing.id })
    }
  },
})
