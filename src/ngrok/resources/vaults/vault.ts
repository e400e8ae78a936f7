import {
  changedAt,
  checkBytes,
  collection,
  createdBy,
  textShape,
  type ValueError,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { MAX_NAME_BYTES } from '../users/service-user.ts'

/** Hyphens are in published requests, but not in the vendor's error list: assumption `vault_names`. */
const NAME = /^[A-Za-z0-9_/.-]*$/

/** The name of vaults and secrets. */
export function vaultName(example: string, errors: { empty: ValueError; bad: ValueError; tooLong: ValueError }) {
  const { empty, bad, tooLong } = errors
  const shape = textShape({ pattern: NAME.source, maxLength: MAX_NAME_BYTES, examples: [example] }, given => {
    if (given === '') return { error: empty, expected: 'a non-empty name' }
    if (!NAME.test(given)) return { error: bad, expected: 'a name of A-Z a-z 0-9 _ / . -' }
    return checkBytes(given, MAX_NAME_BYTES, tooLong)
  })
  return value(shape, { required: empty, content: 'name', describe: 'Characters A-Z a-z 0-9 _ / . -' })
}

export const vaults = collection({
  name: 'vault',
  table: 'vaults',
  label: 'vault',
  path: '/vaults',
  prefix: 'vault',
  section: '10.17',
  listAs: 'vaults',
  event: 'vault',
  filterable: ['id', 'created_at', 'description', 'metadata', 'name'],
  fields: {
    name: vaultName('staging', {
      empty: errors.vault_without_name,
      bad: errors.bad_vault_name,
      tooLong: errors.vault_name_too_long,
    }),
    ...described(),
    updated_at: changedAt(),
    created_by: createdBy(),
    last_updated_by: createdBy({ regenerated: true }),
  },
  unique: { field: 'name', among: ['vaults'], error: errors.vault_name_taken },
  lists: { secrets: { id: 'list_secrets_by_vault', table: 'vault_secrets', by: 'vault_id' } },
})
