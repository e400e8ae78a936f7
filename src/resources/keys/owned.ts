import { SECRET } from '../../contract/token.ts'
import { described, matching, type RuleContext, reference, value } from '../../schema/index.ts'
import { OWNERS } from '../users/user.ts'

/** What API keys and credentials have in common: an owner, and a token that one answer shows. docs/api.md 4.1, 10.11. */
export const ownedFields = {
  ...described({ description: 'description_too_long', metadata: 'metadata_too_long' }),
  owner_id: reference(OWNERS, { missing: 'bad_owner', createOnly: true, unset: 'never', whenDeleted: 'delete' }),
}

export const owned = {
  // A fixture gives the token; only its hash is stored and exported.
  stored: {
    token: value(matching(SECRET)),
    token_sha256: value(matching(/^[0-9a-f]{64}$/)),
  },
  shownOnce: ['token'],
  ownedBy: 'owner_id',
  indexes: ['token_sha256'],
  onCreate(given: { owner_id?: string }, { caller, fail, get, newToken }: RuleContext, id: string) {
    const owner = given.owner_id ?? caller.id
    if (owner !== caller.id && !caller.admin) {
      fail('owner_not_allowed', { field: 'owner_id', owner_id: owner, caller: caller.id })
    }
    if (OWNERS.some(table => get(table, owner)?.active === false))
      fail('owner_inactive', { field: 'owner_id', id: owner })
    const { token, sha256 } = newToken(id)
    return { row: { owner_id: owner, token_sha256: sha256 }, once: { token } }
  },
}
