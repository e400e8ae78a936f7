import { group, integer, module, value } from '../../../../engine/language/index.ts'
import { errors } from '../../../errors.ts'
import { MODULE_LIMITS, texts, upTo, YEAR_SECONDS } from './limits.ts'
import { checkDomain, checkEmail, checkTeam } from './oauth-entries.ts'
import { sessionFields } from './signed-in.ts'

const app = {
  client_id: value(upTo(MODULE_LIMITS.entryBytes, { tooLong: errors.oauth_client_id_too_long }), {
    default: '',
    content: 'name',
    describe: "With client_secret, your own OAuth app instead of the vendor's",
  }),
  client_secret: value(upTo(MODULE_LIMITS.secretBytes, { tooLong: errors.oauth_client_secret_too_long }), {
    default: '',
    content: 'secret',
  }),
  scopes: texts({
    tooMany: errors.too_many_oauth_scopes,
    tooLong: errors.oauth_scope_too_long,
    describe: 'Only with client_id',
  }),
  email_addresses: texts({
    tooMany: errors.too_many_oauth_emails,
    tooLong: errors.oauth_email_too_long,
    empty: errors.oauth_email_empty,
    twice: errors.oauth_email_twice,
    examples: ['alan@example.com'],
    check: checkEmail,
    content: 'email',
    describe: 'Addresses in lower case',
  }),
  email_domains: texts({
    tooMany: errors.too_many_oauth_domains,
    tooLong: errors.oauth_domain_too_long,
    empty: errors.oauth_domain_empty,
    twice: errors.oauth_domain_twice,
    examples: ['example.com'],
    check: checkDomain,
    content: 'host',
    describe: 'Domains in lower case',
  }),
}

const ofOthers = group(app)
const ofGitHub = group({
  ...app,
  teams: texts({
    tooMany: errors.too_many_github_teams,
    tooLong: errors.github_team_too_long,
    empty: errors.github_team_empty,
    twice: errors.github_team_twice,
    examples: ['office/web'],
    check: checkTeam,
    describe: 'Numbers, or organization/team',
  }),
  organizations: texts({
    tooMany: errors.too_many_github_organizations,
    tooLong: errors.github_organization_too_long,
    empty: errors.github_organization_empty,
    twice: errors.github_organization_twice,
  }),
})

/** With the other providers, the vendor's own app needs no client id. */
const WITHOUT_MANAGED_APP = ['amazon', 'facebook']

/** Stored, without effect. */
export const oauthModule = module({
  key: 'oauth',
  label: 'OAuth module',
  of: { https_edge_routes: '10.9' },
  fields: {
    ...sessionFields({
      badCookiePrefix: errors.oauth_cookie_prefix,
      longCookiePrefix: errors.oauth_cookie_prefix_too_long,
      longSession: errors.oauth_session_too_long,
    }),
    auth_check_interval: value(
      integer(
        { minimum: 0, maximum: YEAR_SECONDS },
        { below: errors.oauth_interval_too_short, above: errors.oauth_interval_too_long },
      ),
      { default: 0, describe: 'Seconds between checks of the identity' },
    ),
    provider: group(
      {
        github: ofGitHub,
        facebook: ofOthers,
        microsoft: ofOthers,
        google: ofOthers,
        linkedin: ofOthers,
        gitlab: ofOthers,
        twitch: ofOthers,
        amazon: ofOthers,
      },
      {
        required: errors.no_oauth_provider,
        oneOf: { none: errors.no_oauth_provider, several: errors.several_oauth_providers },
      },
    ),
  },
  check({ provider }, at, { fail }) {
    const [name, given] = Object.entries(provider)[0]!
    const field = `${at}provider.${name}.`
    const isOwn = given.client_id !== ''
    if (isOwn !== (given.client_secret !== ''))
      fail(errors.half_an_oauth_app, { field: `${field}${isOwn ? 'client_secret' : 'client_id'}` })
    if (isOwn) return
    if (WITHOUT_MANAGED_APP.includes(name))
      fail(errors.no_managed_oauth_app, { field: `${field}client_id`, provider: name })
    if (given.scopes!.length > 0) fail(errors.scopes_of_managed_app, { field: `${field}scopes` })
  },
})
