import { changedAt, collection, createdBy, generated, reference } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { described } from '../texts.ts'
import { OWNERS } from '../users/user.ts'
import { ownToken } from './owned.ts'

/** Characters of the token in `display_name`. */
const SHOWN_CHARACTERS = 8

export const aiGatewayApiKeys = collection({
  ...ownToken,
  name: 'ai_gateway_api_key',
  table: 'ai_gateway_api_keys',
  label: 'AI gateway API key',
  path: '/ai_gateway_api_keys',
  prefix: 'aigk',
  section: '10.26',
  listAs: 'ai_gateway_api_keys',
  fields: {
    ...described(),
    endpoint_id: reference(['endpoints'], { missing: errors.bad_reference, shownAs: 'endpoint', unset: 'omit' }),
    updated_at: changedAt(),
    created_by: createdBy({ ref: OWNERS }),
    last_updated_by: createdBy({ ref: OWNERS, regenerated: true }),
    display_name: generated(() => undefined, { unset: 'omit', content: 'name', describe: 'Start of the token' }),
  },
  alwaysNull: ['last_used'],
  onCreate(_given, context, id) {
    const { token, sha256 } = context.newToken(id)
    return { row: { token_sha256: sha256, display_name: `${token.slice(0, SHOWN_CHARACTERS)}...` }, once: { token } }
  },
})
