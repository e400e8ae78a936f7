import { group, integer, listOf, module, textShape, value } from '../../../schema/index.ts'
import { sessionFields } from './signed-in.ts'

const texts = () => value(listOf(textShape()), { default: [] })

const provider = {
  client_id: value(textShape(), { default: '' }),
  client_secret: value(textShape(), { default: '' }),
  scopes: texts(),
  email_addresses: texts(),
  email_domains: texts(),
}

const plain = () => group(provider)

/** Only who signs in with a provider may pass. It is kept and not acted on. docs/api.md 10.9. */
export const oauthModule = module({
  key: 'oauth',
  label: 'OAuth module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields(),
    auth_check_interval: value(integer({ minimum: 0, maximum: 31_536_000 }), { default: 0 }),
    provider: group(
      {
        github: group({ ...provider, teams: texts(), organizations: texts() }),
        facebook: plain(),
        microsoft: plain(),
        google: plain(),
        linkedin: plain(),
        gitlab: plain(),
        twitch: plain(),
        amazon: plain(),
      },
      { required: 'invalid_value', oneOf: { none: 'invalid_value', several: 'invalid_value' } },
    ),
  },
})
