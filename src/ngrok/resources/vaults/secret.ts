import { nearest } from '../../../basics/nearest.ts'
import {
  changedAt,
  checkBytes,
  collection,
  createdBy,
  derived,
  reference,
  secret,
  textShape,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { described } from '../texts.ts'
import { OWNERS } from '../users/user.ts'
import { vaultName, vaults } from './vault.ts'

/** Chosen by edgesim: assumption `secret_length`. */
const MAX_SECRET_BYTES = 32 * 1024

const secretText = textShape({ maxLength: MAX_SECRET_BYTES }, text =>
  text === ''
    ? { error: errors.secret_without_value, expected: 'a non-empty string' }
    : checkBytes(text, MAX_SECRET_BYTES, errors.secret_too_long),
)

export const secrets = collection({
  name: 'secret',
  table: 'vault_secrets',
  plural: 'secrets',
  label: 'secret',
  path: '/vault_secrets',
  prefix: 'secret',
  section: '10.17',
  listAs: 'secrets',
  event: 'secret',
  filterable: ['id', 'created_at', 'description', 'metadata', 'name'],
  fields: {
    vault_id: reference(['vaults'], {
      required: errors.secret_without_vault,
      unlessGiven: 'vault_name',
      missing: errors.secret_vault_missing,
      createOnly: true,
      shownAs: 'vault',
      whenDeleted: errors.vault_not_empty,
    }),
    vault_name: derived(
      ({ vault_id }: { vault_id: string }, _row, { tables, assume }) =>
        assume(questions.secret_vault_name) === 'shown' ? tables.get('vaults', vault_id)?.name : undefined,
      {
        acceptsInput: true,
        createOnly: true,
        unset: 'omit',
        dependsOnOthers: true,
        content: 'name',
        describe: 'Name of the vault, instead of vault_id',
      },
    ),
    name: vaultName('database_password', {
      empty: errors.secret_without_name,
      bad: errors.bad_secret_name,
      tooLong: errors.secret_name_too_long,
    }),
    value: secret(secretText, { required: errors.secret_without_value }),
    ...described(),
    updated_at: changedAt(),
    created_by: createdBy({ ref: OWNERS }),
    last_updated_by: createdBy({ ref: OWNERS, regenerated: true }),
  },
  onCreate({ vault_id, vault_name: name }, { tables, fail }) {
    if (name === undefined) return { row: {} }
    const [vault] = tables.where('vaults', 'name', name)
    const names = () => Array.from(tables.all(vaults), each => each.name)
    if (!vault)
      return fail(errors.secret_vault_name_missing, {
        field: 'vault_name',
        name,
        nearest: nearest(name, names()),
      })
    if (vault_id !== undefined && vault_id !== vault.id)
      fail(errors.invalid_value, {
        field: 'vault_name',
        expected: `the name of ${vault_id}, or omitted`,
        received: JSON.stringify(name),
      })
    return { row: { vault_id: vault.id } }
  },
  unique: { field: 'name', among: ['vault_secrets'], within: 'vault_id', error: errors.secret_name_taken },
})
