import { SECRET } from '../../contract/token.ts'
import { collection, matching, reference, text, value } from '../../schema/index.ts'
import { OWNERS } from '../users/user.ts'

/** A key authenticates calls to this API. docs/api.md 2.1, 4.1, 5. */
export const apiKeys = collection({
  name: 'api_key',
  table: 'api_keys',
  label: 'API key',
  path: '/api_keys',
  prefix: 'ak',
  section: '4.1',
  listAs: 'keys',
  event: 'api_key',
  filterable: ['id', 'created_at', 'description', 'metadata', 'owner_id'],
  fields: {
    description: text({ maxBytes: 255, tooLong: 'description_too_long' }),
    metadata: text({ maxBytes: 4096, tooLong: 'metadata_too_long' }),
    owner_id: reference(OWNERS, { missing: 'bad_owner', createOnly: true, unset: 'never' }),
  },
  // A fixture gives the token; only its hash is stored and exported.
  stored: {
    token: value(matching(SECRET)),
    token_sha256: value(matching(/^[0-9a-f]{64}$/)),
  },
  shownOnce: ['token'],
  ownedBy: 'owner_id',
  indexes: ['token_sha256'],
  onCreate(given, { caller, fail, newToken }, id) {
    const owner = given.owner_id ?? caller.id
    if (owner !== caller.id && !caller.admin) {
      fail('owner_not_allowed', { field: 'owner_id', owner_id: owner, caller: caller.id })
    }
    const { token, sha256 } = newToken(id)
    return { row: { owner_id: owner, token_sha256: sha256 }, once: { token } }
  },
})
