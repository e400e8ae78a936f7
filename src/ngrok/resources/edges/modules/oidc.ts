import { module, value } from '../../../../engine/language/index.ts'
import { MODULE_LIMITS, texts, upTo } from './limits.ts'
import { sessionFields } from './signed-in.ts'

const issuer = upTo(MODULE_LIMITS.entryBytes, {
  tooLong: 'oidc_issuer_too_long',
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
    ...sessionFields({ longCookiePrefix: 'oidc_cookie_prefix_too_long', longSession: 'oidc_session_too_long' }),
    issuer: value(issuer, { required: 'no_oidc_issuer', content: 'url' }),
    client_id: value(upTo(MODULE_LIMITS.entryBytes, { tooLong: 'oidc_client_id_too_long' }), {
      required: 'no_oidc_client_id',
      content: 'name',
    }),
    client_secret: value(upTo(MODULE_LIMITS.secretBytes, { tooLong: 'oidc_client_secret_too_long' }), {
      required: 'no_oidc_client_secret',
      content: 'secret',
    }),
    scopes: texts({ tooMany: 'too_many_oidc_scopes', tooLong: 'oidc_scope_too_long' }),
  },
})
