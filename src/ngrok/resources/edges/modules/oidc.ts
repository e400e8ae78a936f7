import { module, value } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { MODULE_LIMITS, texts, upTo } from './limits.ts'
import { sessionFields } from './signed-in.ts'

const issuer = upTo(MODULE_LIMITS.entryBytes, {
  tooLong: errors.oidc_issuer_too_long,
  examples: ['https://id.example.com'],
  check: url =>
    URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
      ? undefined
      : { expected: 'a URL like https://id.example.com' },
})

/** Stored, without effect. */
export const oidcModule = module({
  key: 'oidc',
  label: 'OIDC module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields({
      longCookiePrefix: errors.oidc_cookie_prefix_too_long,
      longSession: errors.oidc_session_too_long,
    }),
    issuer: value(issuer, { required: errors.no_oidc_issuer, content: 'url' }),
    client_id: value(upTo(MODULE_LIMITS.entryBytes, { tooLong: errors.oidc_client_id_too_long }), {
      required: errors.no_oidc_client_id,
      content: 'name',
    }),
    client_secret: value(upTo(MODULE_LIMITS.secretBytes, { tooLong: errors.oidc_client_secret_too_long }), {
      required: errors.no_oidc_client_secret,
      content: 'secret',
    }),
    scopes: texts({ tooMany: errors.too_many_oidc_scopes, tooLong: errors.oidc_scope_too_long }),
  },
})
