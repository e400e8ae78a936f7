import {
  type Collection,
  checkBytes,
  collection,
  flag,
  type RuleContext,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'

/** Chosen by edgesim: assumption `name_length`. */
export const MAX_NAME_BYTES = 255

const name = textShape({ maxLength: MAX_NAME_BYTES, 'x-max-bytes': MAX_NAME_BYTES, examples: ['deploy'] }, text =>
  text === ''
    ? { error: errors.service_user_without_name, expected: 'a non-empty string' }
    : checkBytes(text, MAX_NAME_BYTES, errors.service_user_name_too_long),
)

function checkAdmin({ caller, fail }: RuleContext, label: string) {
  if (!caller.admin) fail(errors.not_for_members, { caller: caller.id, label })
}

/** An owner of keys that is not a person. The vendor serves it under an old name and a new name. */
const serviceUser = (own: Pick<Collection, 'name' | 'table' | 'plural' | 'label' | 'prefix' | 'filterable'>) =>
  collection({
    ...own,
    path: `/${own.plural}`,
    listAs: own.plural,
    section: '10.10',
    fields: {
      name: value(name, {
        required: errors.service_user_without_name,
        optionalInFixtures: true,
        content: 'name',
      }),
      active: flag({ default: true, describe: 'Whether its API keys work' }),
    },
    // No request can set it.
    stored: { admin: flag({ default: false }) },
    unique: { field: 'name', among: [own.table], error: errors.service_user_name_taken },
    onCreate(_given, context) {
      checkAdmin(context, own.label)
      return { row: {} }
    },
    onUpdate(given, context) {
      checkAdmin(context, own.label)
      return given
    },
    checkDelete: (_row, context) => checkAdmin(context, own.label),
  })

export const botUsers = serviceUser({
  name: 'bot_user',
  table: 'bots',
  plural: 'bot_users',
  label: 'bot user',
  prefix: 'bot',
})

export const serviceUsers = serviceUser({
  name: 'service_user',
  table: 'service_users',
  plural: 'service_users',
  label: 'service user',
  prefix: 'service',
  // The list under the old name has no filter.
  filterable: ['id', 'created_at'],
})
