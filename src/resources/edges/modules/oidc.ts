import { listOf, module, textShape, value } from '../../../schema/index.ts'
import { sessionFields } from './signed-in.ts'

/** Only who signs in with an OpenID provider may pass. It is kept and not acted on. docs/api.md 10.9. */
export const oidcModule = module({
  key: 'oidc',
  label: 'OIDC module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields(),
    issuer: value(textShape({ examples: ['https://id.example.com'] }), { required: 'invalid_value' }),
    client_id: value(textShape(), { required: 'invalid_value' }),
    client_secret: value(textShape(), { required: 'invalid_value' }),
    scopes: value(listOf(textShape()), { default: [] }),
  },
})
