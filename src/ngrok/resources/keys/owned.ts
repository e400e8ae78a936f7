import { matching, type RuleContext, reference, value } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { OWNERS } from '../users/user.ts'

export const ownedFields = {
  ...described({ description: errors.description_too_long, metadata: errors.metadata_too_long }),
  owner_id: reference(OWNERS, {
    missing: errors.bad_owner,
    createOnly: true,
    unset: 'never',
    whenDeleted: 'delete',
    describe: 'The caller by default (only admins can set another owner)',
  }),
}

/** The owner in the request (default: the caller). */
export function ownerOf({ owner_id: owner }: { owner_id?: string }, { caller, fail, tables }: RuleContext): string {
  if (owner !== undefined && owner !== caller.id && !caller.admin)
    fail(errors.owner_not_allowed, { field: 'owner_id', owner_id: owner, caller: caller.id })
  const id = owner ?? caller.id
  if (OWNERS.some(table => tables.get(table, id)?.active === false))
    fail(errors.owner_inactive, { field: 'owner_id', id })
  return id
}

/** A secret in a fixture. */
const SECRET = /^[A-Za-z0-9_.-]{1,128}$/

/** A token that only the create response contains. */
export const ownToken = {
  // A fixture may contain the token. Only its hash is stored and exported.
  stored: {
    token: value(matching(SECRET), { content: 'secret' }),
    token_sha256: value(matching(/^[0-9a-f]{64}$/), { content: 'secret' }),
  },
  shownOnce: ['token'],
  indexes: ['token_sha256'],
}

/** The common declaration of API keys and credentials. */
export const owned = {
  ...ownToken,
  ownedBy: 'owner_id',
  onCreate(given: { owner_id?: string }, context: RuleContext, id: string) {
    const owner_id = ownerOf(given, context)
    const { token, sha256 } = context.newToken(id)
    return { row: { owner_id, token_sha256: sha256 }, once: { token } }
  },
}
