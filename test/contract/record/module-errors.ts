import { samlModule } from '../../../src/resources/edges/modules/saml.ts'
import { accepted, type Documented, long, refused, times } from './row.ts'
import { exampleOf } from './world.ts'

const EDGE = '/edges/https/edghts_web'
const module = (key: string) => `PUT ${EDGE}/routes/edghtsrt_api/${key}`
const OAUTH = module('oauth')
const app = { client_id: 'id', client_secret: 'secret' }
const google = (more: object) => ({ provider: { google: { ...app, ...more } } })
const github = (more: object) => ({ provider: { github: { ...app, ...more } } })
const OIDC = module('oidc')
const oidc = { issuer: 'https://id.example.com', ...app }
const SAML = module('saml')
const saml = { idp_metadata: exampleOf(samlModule.fields.idp_metadata.shape) }
const WEBHOOKS = module('webhook_verification')
const BREAKER = module('circuit_breaker')
const TLS = 'PUT /edges/tls/edgtls_mail/tls_termination'
/** For tests only. */
const SENDGRID_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHhhTL9R1TALzBB2cdc6zO4P/2BrHzk/ogsyxyYvFiW6kbDEcTi/0DdlqNlPm5FRF0y3+SG7O11x6kMahiIHAow=='
const YEAR = 365 * 24 * 60 * 60
const IP_MODULE = 'PUT /edges/tcp/edgtcp_db/ip_restriction'
const ROUTES = `POST ${EDGE}/routes`
const route = { match_type: 'path_prefix', match: '/new' }
const headers = Object.fromEntries(times(6, i => [`x-${i}`, 'v']))

interface Codes {
  empty?: number
  twice?: number
  many: number
  tooLong: number
}

/** The lists of an OAuth provider. */
const LISTS: [list: string, entry: (i: number) => string, codes: Codes][] = [
  ['email_addresses', i => `a${i}@example.com`, { empty: 7051, twice: 7046, many: 7060, tooLong: 7139 }],
  ['email_domains', i => `a${i}.example.com`, { empty: 7052, twice: 7047, many: 7061, tooLong: 7140 }],
  ['teams', i => `${i}`, { empty: 7053, twice: 7048, many: 7057, tooLong: 7144 }],
  ['organizations', i => `a${i}`, { empty: 7054, twice: 7049, many: 7058, tooLong: 7145 }],
  ['scopes', i => `a${i}`, { many: 7056, tooLong: 7141 }],
]

/** Rows about what modules of edges and routes may hold. */
export const ofModules: Documented[] = [
  // Modules of edges and routes
  refused(7013, 400, '101 policies', IP_MODULE, { ip_policy_ids: times(101, i => `ipp_${i}`) }),
  refused(7072, 400, 'an unknown authority', `PUT ${EDGE}/mutual_tls`, { certificate_authority_ids: ['ca_unknown'] }),
  refused(7075, 400, '11 authorities', `PUT ${EDGE}/mutual_tls`, {
    certificate_authority_ids: times(11, i => `ca_${i}`),
  }),
  refused(219, 400, 'a TLS version that there is not', `PUT ${EDGE}/tls_termination`, { min_version: '1.4' }),
  refused(219, 400, 'the same in an edge', 'POST /edges/https', { tls_termination: { min_version: '3' } }),
  refused(7109, 400, 'where TLS of an HTTPS edge ends', `PUT ${EDGE}/tls_termination`, { terminate_at: 'upstream' }),
  refused(224, 400, 'TLS that ends nowhere', TLS, { terminate_at: 'moon' }),
  refused(7062, 400, 'TLS that ends at the upstream with mutual TLS', TLS, { terminate_at: 'upstream' }),
  accepted(
    200,
    'TLS that ends at the upstream',
    TLS,
    { terminate_at: 'upstream' },
    {
      first: [{ request: 'DELETE /edges/tls/edgtls_mail/mutual_tls' }],
    },
  ),
  refused(7032, 400, 'a version for the upstream', TLS, { terminate_at: 'upstream', min_version: '1.3' }),
  ...['PUT /edges/tcp/edgtcp_db', 'PUT /edges/tls/edgtls_mail', module('x').slice(0, -2)].map(path =>
    refused(2236, 400, 'a traffic policy that is not a document', `${path}/traffic_policy`, { value: 'a: [' }),
  ),
  refused(2236, 400, 'the same in a route', ROUTES, { ...route, traffic_policy: { value: '[]' } }),
  accepted(200, 'a traffic policy in YAML', module('traffic_policy'), { value: 'on_http_request: []' }),
  refused(7015, 400, '6 headers added to answers', module('response_headers'), { add: headers }),
  refused(7023, 400, 'a header of answers with a space', module('response_headers'), { remove: ['x y'] }),
  refused(7011, 400, 'more errors than requests', BREAKER, { error_threshold_percentage: 50 }),
  refused(7016, 400, 'a circuit that is open for no time', BREAKER, { tripped_duration: 0 }),
  refused(7017, 400, 'a window of no time', BREAKER, { rolling_window: 0 }),
  refused(7018, 400, 'no buckets', BREAKER, { num_buckets: 0 }),
  refused(7018, 400, '129 buckets', BREAKER, { num_buckets: 129 }),
  refused(215, 400, 'a window that is no number', BREAKER, { rolling_window: 'long' }),
  refused(7026, 400, 'a secret of SNS', WEBHOOKS, { provider: 'sns', secret: 'x' }),
  accepted(200, 'SNS without a secret', WEBHOOKS, { provider: 'sns' }),
  refused(7027, 400, 'a provider of webhooks without its secret', WEBHOOKS, { provider: 'slack' }),
  refused(7029, 400, 'webhooks of nobody', WEBHOOKS, { secret: 'x' }),
  refused(7030, 400, 'webhooks of a stranger', WEBHOOKS, { provider: 'githab', secret: 'x' }),
  accepted(200, 'a provider in capitals', WEBHOOKS, { provider: 'TWILIO', secret: 'x' }),
  refused(7107, 400, 'a key of Sendgrid that is none', WEBHOOKS, { provider: 'sendgrid', secret: 'x' }),
  accepted(200, 'a key of Sendgrid', WEBHOOKS, { provider: 'sendgrid', secret: SENDGRID_KEY }),
  refused(7154, 400, 'a secret of 5,000 bytes', WEBHOOKS, { provider: 'slack', secret: long(5000) }),

  // Who signs in
  ...[
    [OAUTH, google({})],
    [OIDC, oidc],
    [SAML, saml],
  ].map(([request, body]) =>
    refused(7092, 400, 'an inactivity of more than a year', request as string, {
      ...(body as object),
      inactivity_timeout: YEAR + 1,
    }),
  ),
  refused(7079, 400, 'two ways to sign in', OIDC, oidc, { first: [{ request: OAUTH, body: google({}) }] }),
  accepted(
    200,
    'a second way that is not enabled',
    OIDC,
    { ...oidc, enabled: false },
    {
      first: [{ request: OAUTH, body: google({}) }],
    },
  ),
  refused(
    7155,
    400,
    'a sign-in on two routes',
    ROUTES,
    { ...route, saml },
    {
      first: [{ request: OAUTH, body: google({}) }],
    },
  ),
  refused(7033, 400, 'half an application', OAUTH, { provider: { google: { client_id: 'id' } } }),
  refused(7034, 400, 'scopes without an application', OAUTH, { provider: { google: { scopes: ['profile'] } } }),
  accepted(200, "the vendor's own application", OAUTH, { provider: { google: {} } }),
  refused(7166, 400, 'an application that the vendor does not have', OAUTH, { provider: { amazon: {} } }),
  refused(7035, 400, 'a negative interval', OAUTH, { ...google({}), auth_check_interval: -1 }),
  refused(7158, 400, 'an interval of more than a year', OAUTH, { ...google({}), auth_check_interval: YEAR + 1 }),
  refused(7161, 400, 'an OAuth session of more than a year', OAUTH, { ...google({}), maximum_duration: YEAR + 1 }),
  refused(7036, 400, 'two providers', OAUTH, { provider: { google: app, github: app } }),
  refused(7037, 400, 'no provider', OAUTH, {}),
  refused(7037, 400, 'no provider inside', OAUTH, { provider: {} }),
  refused(7042, 400, 'a cookie prefix with a space', OAUTH, { ...google({}), cookie_prefix: 'a b' }),
  refused(7136, 400, 'a cookie prefix of 256 bytes', OAUTH, { ...google({}), cookie_prefix: long(256) }),
  refused(7137, 400, 'a client id of 256 bytes', OAUTH, google({ client_id: long(256) })),
  refused(7138, 400, 'a client secret of 5,000 bytes', OAUTH, google({ client_secret: long(5000) })),
  refused(7039, 400, 'an email domain that is none', OAUTH, google({ email_domains: ['example'] })),
  refused(7043, 400, 'an email address without a domain', OAUTH, google({ email_addresses: ['alan'] })),
  refused(7044, 400, 'an email domain in bad punycode', OAUTH, google({ email_domains: ['xn--0.pt'] })),
  refused(7045, 400, 'an email address in bad punycode', OAUTH, google({ email_addresses: ['a@xn--0.pt'] })),
  refused(7067, 400, 'an email address in capitals', OAUTH, google({ email_addresses: ['Alan@example.com'] })),
  refused(7068, 400, 'an email domain in capitals', OAUTH, google({ email_domains: ['Example.com'] })),
  refused(7040, 400, 'a team without its organization', OAUTH, github({ teams: ['web'] })),
  accepted(
    200,
    'teams by number and by name',
    OAUTH,
    github({ teams: ['12', 'office/web'], organizations: ['office'] }),
  ),
  ...LISTS.flatMap(([list, entry, { empty, twice, many, tooLong }]) => {
    const of = (code: number | undefined, what: string, entries: string[]) =>
      code === undefined ? [] : [refused(code, 400, `${list}: ${what}`, OAUTH, github({ [list]: entries }))]
    return [
      ...of(empty, 'an empty entry', ['']),
      ...of(twice, 'an entry twice', [entry(1), entry(1)]),
      ...of(many, '101 entries', times(101, entry)),
      ...of(tooLong, 'an entry of 256 bytes', [long(256)]),
    ]
  }),
  refused(7087, 400, 'an issuer of 256 bytes', OIDC, { ...oidc, issuer: `https://${long(248)}` }),
  refused(7088, 400, 'OIDC without an issuer', OIDC, app),
  refused(7089, 400, 'OIDC without a client id', OIDC, { ...oidc, client_id: undefined }),
  refused(7090, 400, 'OIDC without a client secret', OIDC, { ...oidc, client_secret: '' }),
  refused(7148, 400, 'a client id of OIDC of 256 bytes', OIDC, { ...oidc, client_id: long(256) }),
  refused(7149, 400, 'a client secret of OIDC of 5,000 bytes', OIDC, { ...oidc, client_secret: long(5000) }),
  refused(7150, 400, '101 scopes of OIDC', OIDC, { ...oidc, scopes: times(101, i => `${i}`) }),
  refused(7151, 400, 'a scope of OIDC of 256 bytes', OIDC, { ...oidc, scopes: [long(256)] }),
  refused(7153, 400, 'a cookie prefix of OIDC of 256 bytes', OIDC, { ...oidc, cookie_prefix: long(256) }),
  refused(7162, 400, 'an OIDC session of more than a year', OIDC, { ...oidc, maximum_duration: YEAR + 1 }),
  refused(7080, 400, 'SAML metadata of 40,000 bytes', SAML, { idp_metadata: long(40_000) }),
  refused(7081, 400, 'SAML metadata and its URL', SAML, { ...saml, idp_metadata_url: 'https://id.example.com' }),
  accepted(200, 'the URL of SAML metadata', SAML, { idp_metadata_url: 'https://id.example.com' }),
  refused(7083, 400, 'SAML metadata that is not XML', SAML, { idp_metadata: '<EntityDescriptor' }),
  refused(7091, 400, 'no SAML metadata', SAML, {}),
]
