import { authorityPem, certificatePem, privateKeyPem } from '../../../src/resources/certificates/shapes.ts'
import { certifiedKey } from '../../../src/resources/ssh/public-key.ts'
import { ofModules } from './module-errors.ts'
import { accepted, type Documented, long, refused, times } from './row.ts'
import { exampleOf } from './world.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const RULES = 'POST /ip_policy_rules'
const rule = { ip_policy_id: 'ipp_free', action: 'allow', cidr: '198.51.100.0/24' }
const CREDENTIALS = 'POST /credentials'
const SECRETS = 'POST /vault_secrets'
const secret = { vault_id: 'vault_full', name: 'new', value: 'v' }
const RESTRICTIONS = 'POST /ip_restrictions'
const IP_MODULE = 'PUT /edges/tcp/edgtcp_db/ip_restriction'
const BACKENDS = 'POST /backends/static'
const FAILOVER = 'POST /backends/failover'
const WEIGHTED = 'POST /backends/weighted'
const RESPONSE = 'POST /backends/http_response'
const GROUP = 'POST /backends/tunnel_group'
const BACKEND_MODULE = 'PUT /edges/tcp/edgtcp_db/backend'
const ROUTES = 'POST /edges/https/edghts_web/routes'
const route = { match_type: 'path_prefix', match: '/new' }
const HEADERS = 'PUT /edges/https/edghts_web/routes/edghtsrt_api/request_headers'
const USER_AGENTS = 'PUT /edges/https/edghts_web/routes/edghtsrt_api/user_agent_filter'
const DESTINATIONS = 'POST /event_destinations'
const role = { role: { role_arn: 'arn:aws:iam::123456789012:role/events' } }
const kinesis = { auth: role, stream_arn: 'arn:aws:kinesis:us-east-1:123456789012:stream/events' }
const to = (target: object) => ({ format: 'json', target })
const SUBSCRIPTIONS = 'POST /event_subscriptions'
const CERTIFICATES = 'POST /tls_certificates'
const certificate = { certificate_pem: exampleOf(certificatePem), private_key_pem: exampleOf(privateKeyPem) }
const AUTHORITIES = 'POST /certificate_authorities'
const authority = exampleOf(authorityPem)
const OPERATORS = 'POST /kubernetes_operators'
const SSH_AUTHORITIES = 'POST /ssh_certificate_authorities'
const HOSTS = 'POST /ssh_host_certificates'
const USERS = 'POST /ssh_user_certificates'
const sshCertificate = { ssh_certificate_authority_id: 'sshca_free', public_key: exampleOf(certifiedKey) }
const inWrongOrder = { valid_after: '2026-02-01T00:00:00Z', valid_until: '2026-01-31T00:00:00Z' }
const SSH_CREDENTIALS = 'POST /ssh_credentials'
const securityKey = `sk-ssh-ed25519@openssh.com ${Buffer.from('\0\0\0\x1ask-ssh-ed25519@openssh.com\0\0\0\x01k').toString('base64')}`
const headers = (count: number) => Object.fromEntries(times(count, i => [`x-${i}`, 'v']))

const DOMAINS = 'POST /reserved_domains'
const policy = { authority: 'letsencrypt' }
const domain = (name: string, more?: object) => ({ domain: name, ...more })
const INGRESSES = 'POST /agent_ingresses'
const REPORTS = 'POST /abuse_reports'
const ENDPOINTS = 'POST /endpoints'
const endpoint = (url?: string, more?: object) => ({ type: 'cloud', traffic_policy: '{}', url, ...more })
const shared = { request: 'PATCH /endpoints/ep_app', body: { pooling_enabled: true } }

/** By area, as the vendor numbers them. Statuses of 4xx are documented only for 218, 222 and 226; the others are ours. */
export const documented: Documented[] = [
  // Authentication
  refused(200, 401, 'no Authorization header', 'GET /api_keys', undefined, { how: { token: null } }),
  refused(201, 401, 'an Authorization header of another kind', 'GET /api_keys', undefined, {
    how: { headers: { authorization: 'Digest x' } },
  }),
  refused(202, 401, 'a token that is not a credential', 'GET /api_keys', undefined, { how: { token: 'sim@admin' } }),
  refused(203, 401, 'a token of no key', 'GET /api_keys', undefined, { how: { token: 'nobody' } }),
  refused(206, 401, 'the token of a credential', 'GET /api_keys', undefined, { how: { token: 'agent_member' } }),
  refused(208, 401, 'the id of a key as a token', 'GET /api_keys', undefined, { how: { token: 'ak_admin' } }),
  accepted(200, 'Basic authentication with the token as the password', 'GET /api_keys', undefined, {
    how: { headers: { authorization: `Basic ${btoa('anybody:sim_admin')}` } },
  }),

  // Domains
  refused(400, 400, 'a region that there is not', DOMAINS, domain('a.example.com', { region: 'mars' })),
  refused(402, 400, 'a wildcard inside', DOMAINS, domain('a.*.example.com')),
  refused(403, 400, 'a wildcard with other letters', DOMAINS, domain('a*.example.com')),
  refused(406, 400, 'a space in a name', DOMAINS, domain('a b.example.com')),
  refused(407, 400, 'a part that begins with a hyphen', DOMAINS, domain('-a.example.com')),
  refused(408, 400, 'a part that ends with a hyphen', DOMAINS, domain('a-.example.com')),
  refused(409, 400, 'two periods in a row', DOMAINS, domain('a..example.com')),
  refused(410, 400, 'hyphens in the third and fourth place', DOMAINS, domain('ab--c.example.com')),
  refused(411, 400, 'a name that is not on the internet', DOMAINS, domain('a.internal')),
  refused(413, 400, 'a domain that is reserved', DOMAINS, domain('APP.example.com')),
  refused(414, 400, 'the name of the vendor', DOMAINS, domain('service.example')),
  refused(416, 400, 'a wildcard for all names of the vendor', DOMAINS, domain('*.service.example')),
  refused(420, 400, 'a long description of a domain', DOMAINS, domain('a.example.com', { description: long(256) })),
  refused(421, 400, 'long metadata of a domain', DOMAINS, domain('a.example.com', { metadata: long(4097) })),
  refused(422, 400, 'an update of a domain without values', 'PATCH /reserved_domains/rd_free', {}),
  refused(
    434,
    400,
    'a certificate and a policy',
    DOMAINS,
    domain('a.example.com', { certificate_id: 'cert_1', certificate_management_policy: policy }),
  ),
  refused(435, 400, 'an unknown authority', 'PATCH /reserved_domains/rd_free', {
    certificate_management_policy: { authority: 'me' },
  }),
  refused(436, 400, 'detaching a managed certificate', 'DELETE /reserved_domains/rd_managed/certificate'),
  refused(438, 400, 'an underscore', DOMAINS, domain('a_b.example.com')),
  refused(439, 400, 'a policy on a name of the vendor', 'PATCH /reserved_domains/rd_own', {
    certificate_management_policy: policy,
  }),
  refused(446, 400, 'deleting a domain that an endpoint uses', 'DELETE /reserved_domains/rd_app'),
  refused(448, 400, 'a name of one part', DOMAINS, domain('localhost')),
  refused(513, 400, 'a part of 64 letters', DOMAINS, domain(`${long(64)}.example.com`)),
  refused(514, 400, 'a name of more than 253 letters', DOMAINS, domain(`${times(64, () => 'abc').join('.')}.com`)),
  refused(1909, 400, 'an unknown type of key', DOMAINS, {
    domain: 'a.example.com',
    certificate_management_policy: { ...policy, private_key_type: 'dsa' },
  }),
  refused(1965, 400, 'a certificate that there is not', DOMAINS, domain('a.example.com', { certificate_id: 'cert_1' })),
  accepted(201, 'a punycode name', DOMAINS, domain('xn--bcher-kva.example.com')),
  accepted(204, 'taking away a policy', 'DELETE /reserved_domains/rd_managed/certificate_management_policy'),

  // Addresses
  refused(500, 400, 'a region without addresses', 'POST /reserved_addrs', { region: 'mars' }),
  refused(504, 400, 'a long description of an address', 'POST /reserved_addrs', { description: long(256) }),
  refused(505, 400, 'long metadata of an address', 'POST /reserved_addrs', { metadata: long(4097) }),
  refused(506, 400, 'an update of an address without values', 'PATCH /reserved_addrs/ra_us', {}),

  // Agent ingresses
  refused(
    6700,
    400,
    'a long description of an ingress',
    INGRESSES,
    domain('a.example.com', { description: long(256) }),
  ),
  refused(6701, 400, 'long metadata of an ingress', INGRESSES, domain('a.example.com', { metadata: long(4097) })),
  refused(6704, 400, 'an ingress without a domain', INGRESSES, {}),
  refused(6704, 400, 'an ingress with a part that no name has', INGRESSES, domain('-connect')),
  refused(6704, 400, 'an ingress with a wildcard', INGRESSES, domain('*.example.org')),
  refused(6705, 400, 'an ingress on the name of the vendor', INGRESSES, domain('service.example')),
  refused(6705, 400, 'an ingress below the name of the vendor', INGRESSES, domain('connect.service.example')),
  refused(6706, 400, 'a second ingress of a domain', INGRESSES, domain('CONNECT.example.com')),
  refused(435, 400, 'an ingress with an unknown authority', 'PATCH /agent_ingresses/agin_a', {
    certificate_management_policy: { authority: 'me' },
  }),
  accepted(200, 'an update of an ingress without values', 'PATCH /agent_ingresses/agin_a', {}),

  // Abuse reports
  refused(215, 400, 'a report without URLs', REPORTS, {}),
  refused(215, 400, 'a report of no URL', REPORTS, { urls: [] }),
  refused(215, 400, 'a report of what is no URL', REPORTS, { urls: ['https://a.example.com', 'a.example.com'] }),

  // Endpoints
  refused(248, 400, 'an endpoint of another type', ENDPOINTS, endpoint('https://free.example.com', { type: 'agent' })),
  refused(249, 400, 'a URL without a host', ENDPOINTS, endpoint('https://')),
  refused(9029, 400, 'an internal endpoint elsewhere', ENDPOINTS, {
    ...endpoint('https://a.example.com'),
    bindings: ['internal'],
  }),
  refused(18001, 400, 'a URL with a host that cannot be', ENDPOINTS, endpoint('https://-a-.example.com')),
  refused(18002, 400, 'a traffic policy that is a list', ENDPOINTS, {
    ...endpoint('https://a.internal', { bindings: ['internal'] }),
    traffic_policy: '- a',
  }),
  refused(18003, 400, 'a TCP URL without a port', ENDPOINTS, endpoint('tcp://1.tcp.eu.service.example')),
  refused(18004, 400, 'an update of an endpoint without values', 'PATCH /endpoints/ep_app', {}),
  refused(18005, 400, 'another scheme', 'PATCH /endpoints/ep_app', { url: 'http://app.example.com' }),
  refused(18006, 400, 'a URL that is not reserved', ENDPOINTS, endpoint('https://new.example.com')),
  refused(18009, 400, 'a URL that an endpoint is on', ENDPOINTS, endpoint('https://app.example.com')),
  refused(18012, 400, 'a long description of an endpoint', 'PATCH /endpoints/ep_app', { description: long(256) }),
  refused(18013, 400, 'long metadata of an endpoint', 'PATCH /endpoints/ep_app', { metadata: long(4097) }),
  refused(18014, 400, 'an unknown binding', 'PATCH /endpoints/ep_app', { bindings: ['private'] }),
  refused(18015, 400, 'an endpoint without a URL', ENDPOINTS, endpoint()),
  refused(
    18016,
    400,
    'pooling with an endpoint that does not',
    ENDPOINTS,
    endpoint('https://app.example.com', { pooling_enabled: true }),
  ),
  refused(18017, 400, 'not pooling on a shared URL', ENDPOINTS, endpoint('https://app.example.com'), {
    first: [shared],
  }),
  refused(18018, 400, 'HTTPS in Kubernetes', ENDPOINTS, endpoint('https://a.b', { bindings: ['kubernetes'] })),
  refused(18022, 400, 'a URL of another scheme', ENDPOINTS, endpoint('ftp://app.example.com')),
  refused(18023, 400, 'another port on the internet', 'PATCH /endpoints/ep_app', {
    url: 'https://app.example.com:8443',
  }),
  refused(null, 400, 'deleting the endpoint of an agent', 'DELETE /endpoints/ep_agent'),
  accepted(201, 'a TCP endpoint on a reserved address', ENDPOINTS, endpoint('tcp://1.tcp.eu.service.example:20001')),
  accepted(
    201,
    'a second endpoint that pools',
    ENDPOINTS,
    endpoint('https://app.example.com', { pooling_enabled: true }),
    {
      first: [shared],
    },
  ),

  // The request as a whole
  refused(210, 415, 'another content type', 'POST /api_keys', undefined, {
    how: { raw: '{}', headers: { 'content-type': 'text/plain' } },
  }),
  refused(211, 400, 'a body where none is expected', 'DELETE /ip_policies/ipp_free', {}),
  refused(213, 400, 'a body that is not JSON', 'POST /api_keys', undefined, {
    how: { raw: '{', headers: { 'content-type': 'application/json' } },
  }),
  refused(214, 400, 'an unknown field', 'POST /api_keys', { descripton: 'x' }),
  refused(215, 400, 'a value of a wrong type', 'POST /api_keys', { description: 7 }),
  refused(216, 415, 'a body without a content type', 'POST /api_keys', undefined, { how: { raw: bytes('{}') } }),
  refused(217, 400, 'another version', 'GET /api_keys', undefined, { how: { version: '1' } }),
  refused(218, 400, 'no version', 'GET /api_keys', undefined, { how: { version: null } }),
  refused(220, 403, 'a source that a restriction of type api blocks', 'GET /api_keys', undefined, {
    first: [{ request: RESTRICTIONS, body: { type: 'api', enforced: true, ip_policy_ids: ['ipp_office'] } }],
  }),
  refused(226, 429, 'the 121st request in 60 s', 'GET /api_keys', undefined, {
    assume: { rate_limit: 'documented' },
    first: times(120, () => ({ request: 'GET /api_keys' })),
  }),

  // Queries
  refused(230, 400, 'an invalid query', 'GET /api_keys?before_id=ak_unknown'),
  refused(231, 400, 'an unknown parameter', 'GET /api_keys?page=2', undefined, { assume: { unknown_query: 'reject' } }),
  refused(231, 400, 'a filter on a list that has none', 'GET /edges/tcp?filter=true', undefined, {
    assume: { unknown_query: 'reject' },
  }),
  refused(232, 400, 'a repeated parameter', 'GET /api_keys?limit=1&limit=2'),
  refused(233, 400, 'a limit of 0', 'GET /api_keys?limit=0'),
  refused(233, 400, 'a limit of 101', 'GET /api_keys?limit=101'),
  refused(244, 400, 'a limit that is not a number', 'GET /api_keys?limit=many'),

  // Ids in paths
  refused(222, 404, 'a path without an id', 'GET /api_keys/1000'),
  refused(227, 404, 'a path with an id of another kind', 'GET /api_keys/ipp_office'),
  refused(null, 404, 'an unknown key', 'GET /api_keys/ak_unknown'),
  refused(null, 404, 'an unknown restriction', 'GET /ip_restrictions/ipx_unknown'),

  // API keys
  refused(223, 400, 'an unknown owner', 'POST /api_keys', { owner_id: 'usr_unknown' }),
  refused(604, 400, 'a description of 256 bytes', 'POST /api_keys', { description: long(256) }),
  refused(605, 400, 'metadata of 4,097 bytes', 'POST /api_keys', { metadata: long(4097) }),
  refused(
    630,
    403,
    'another owner, given by a member',
    'POST /api_keys',
    { owner_id: 'usr_admin' },
    {
      how: { token: 'sim_member' },
    },
  ),

  // IP policies and their rules
  refused(1400, 400, 'an update of a policy without values', 'PATCH /ip_policies/ipp_free', {}),
  refused(1400, 400, 'an update of a policy with its id only', 'PATCH /ip_policies/ipp_free', { id: 'ipp_free' }),
  refused(1401, 400, 'an update of a rule without values', 'PATCH /ip_policy_rules/ipr_edges', {}),
  refused(1402, 404, 'an unknown policy', 'GET /ip_policies/ipp_unknown'),
  refused(1402, 404, 'an update of an unknown policy', 'PATCH /ip_policies/ipp_unknown', { description: 'x' }),
  refused(1402, 404, 'the deletion of an unknown policy', 'DELETE /ip_policies/ipp_unknown'),
  refused(1404, 404, 'an unknown rule', 'GET /ip_policy_rules/ipr_unknown'),
  refused(1405, 400, 'a rule without a policy', RULES, { ...rule, ip_policy_id: undefined }),
  refused(1405, 400, 'a rule without a CIDR', RULES, { ...rule, cidr: undefined }),
  refused(1406, 400, 'a CIDR that is none', RULES, { ...rule, cidr: 'everywhere' }),
  refused(1406, 400, 'a CIDR with a mask out of range', RULES, { ...rule, cidr: '10.0.0.0/33' }),
  refused(1406, 400, 'a CIDR that is none, in an update', 'PATCH /ip_policy_rules/ipr_edges', { cidr: 'everywhere' }),
  refused(1408, 400, 'the same CIDR twice in a policy', RULES, {
    ...rule,
    ip_policy_id: 'ipp_edges',
    cidr: '192.0.2.0/24',
  }),
  refused(1408, 400, 'the CIDR of another rule, in an update', 'PATCH /ip_policy_rules/ipr_lab', {
    cidr: '10.0.0.0/8',
  }),
  accepted(201, 'the same CIDR in another policy', RULES, { ...rule, cidr: '192.0.2.0/24' }),
  refused(1409, 400, 'a CIDR that is not the lowest address of its block', RULES, { ...rule, cidr: '10.0.0.1/8' }),
  refused(1413, 400, 'a CIDR without a mask', RULES, { ...rule, cidr: '10.0.0.1' }),
  refused(1414, 400, 'a rule of an unknown policy', RULES, { ...rule, ip_policy_id: 'ipp_unknown' }),
  refused(229, 400, 'a rule of what is not a policy', RULES, { ...rule, ip_policy_id: 'ak_admin' }),
  refused(
    1419,
    400,
    'the deletion of the only rule that a dashboard restriction uses',
    'DELETE /ip_policy_rules/ipr_office',
    undefined,
    {
      first: [{ request: 'DELETE /ip_policy_rules/ipr_lab' }],
    },
  ),
  refused(1420, 400, 'the deletion of a policy that restrictions use', 'DELETE /ip_policies/ipp_office'),
  accepted(204, 'the deletion of a policy that only a module uses', 'DELETE /ip_policies/ipp_edges'),
  refused(1421, 400, 'a description of a rule of 256 bytes', RULES, { ...rule, description: long(256) }),
  refused(1422, 400, 'an action that is neither allow nor deny', RULES, { ...rule, action: 'drop' }),
  refused(1422, 400, 'a rule without an action', RULES, { ...rule, action: undefined }),
  refused(1423, 400, 'an action of a policy', 'POST /ip_policies', { action: 'allow' }),

  // Credentials and owners
  refused(600, 400, 'an ACL rule that binds nothing', CREDENTIALS, { acl: ['bind:'] }),
  refused(600, 400, 'an ACL rule that is neither * nor bind:, in an update', 'PATCH /credentials/cr_ci', {
    acl: ['*', 'www.example.com'],
  }),
  accepted(201, 'ACL rules of both kinds', CREDENTIALS, { acl: ['*', 'bind:*.example.com'] }),
  refused(604, 400, 'a description of a credential of 256 bytes', CREDENTIALS, { description: long(256) }),
  refused(605, 400, 'metadata of a credential of 4,097 bytes', CREDENTIALS, { metadata: long(4097) }),
  refused(606, 400, 'an update of a credential without values', 'PATCH /credentials/cr_ci', {}),
  refused(
    630,
    403,
    'a credential for another owner',
    CREDENTIALS,
    { owner_id: 'usr_admin' },
    {
      how: { token: 'sim_member' },
    },
  ),
  refused(636, 400, 'an API key for an owner that is not active', 'POST /api_keys', { owner_id: 'bot_idle' }),
  refused(636, 400, 'a credential for an owner that is not active', CREDENTIALS, { owner_id: 'bot_idle' }),
  refused(4109, 400, 'a service user without a name', 'POST /service_users', {}),
  refused(4109, 400, 'a bot user with an empty name', 'POST /bot_users', { name: '' }),
  refused(4110, 400, 'the name of a service user of 5,000 bytes', 'POST /service_users', { name: long(5000) }),
  refused(4111, 403, 'a bot user made by a member', 'POST /bot_users', { name: 'x' }, { how: { token: 'sim_member' } }),
  refused(4112, 400, 'the name of another service user', 'POST /service_users', { name: 'CI' }),

  // Vaults and secrets
  refused(23000, 400, 'a vault name with a space', 'POST /vaults', { name: 'a b' }),
  refused(23001, 400, 'a vault without a name', 'POST /vaults', {}),
  refused(23002, 400, 'a vault name of 5,000 characters', 'POST /vaults', { name: long(5000) }),
  refused(23003, 400, 'the deletion of a vault with a secret', 'DELETE /vaults/vault_full'),
  accepted(204, 'the deletion of an empty vault', 'DELETE /vaults/vault_empty'),
  refused(23004, 400, 'the name of another vault', 'POST /vaults', { name: 'full' }),
  refused(23004, 400, 'the name of another vault, in an update', 'PATCH /vaults/vault_empty', { name: 'full' }),
  refused(24000, 400, 'a secret name with a space', SECRETS, { ...secret, name: 'a b' }),
  refused(24001, 400, 'a secret without a name', SECRETS, { ...secret, name: undefined }),
  refused(24002, 400, 'a secret name of 5,000 characters', SECRETS, { ...secret, name: long(5000) }),
  refused(24003, 400, 'a secret with an empty value', SECRETS, { ...secret, value: '' }),
  refused(24004, 400, 'a secret of 50,000 bytes', SECRETS, { ...secret, value: long(50_000) }),
  refused(24005, 400, 'the name of another secret of the vault', SECRETS, { ...secret, name: 'key' }),
  accepted(201, 'the same name in another vault', SECRETS, { ...secret, name: 'key', vault_id: 'vault_empty' }),
  refused(24006, 400, 'a secret of an unknown vault', SECRETS, { ...secret, vault_id: 'vault_unknown' }),
  refused(24008, 400, 'a secret without a vault', SECRETS, { ...secret, vault_id: undefined }),

  // IP restrictions
  refused(1801, 400, 'an unknown policy', RESTRICTIONS, { type: 'api', ip_policy_ids: ['ipp_unknown'] }),
  refused(1801, 400, 'an unknown policy, in an update', 'PATCH /ip_restrictions/ipx_agent', {
    ip_policy_ids: ['ipp_unknown'],
  }),
  refused(229, 400, 'what is not a policy', RESTRICTIONS, { type: 'api', ip_policy_ids: ['ak_admin'] }),
  refused(
    1802,
    400,
    'a second restriction of a type',
    RESTRICTIONS,
    { type: 'agent', ip_policy_ids: ['ipp_free'] },
    {
      assume: { restrictions_per_type: 'one' },
    },
  ),
  refused(1803, 400, 'a type that does not exist', RESTRICTIONS, { type: 'all', ip_policy_ids: ['ipp_free'] }),
  refused(
    1804,
    400,
    'a restriction without policies',
    RESTRICTIONS,
    { type: 'api' },
    {
      assume: { restriction_without_policies: 'reject' },
    },
  ),

  // Backends
  refused(6501, 400, 'a module with an unknown backend', BACKEND_MODULE, { backend_id: 'bkdsc_unknown' }),
  refused(6501, 400, 'a module with an unknown backend of another kind', BACKEND_MODULE, {
    backend_id: 'bkdtg_unknown',
  }),
  refused(242, 400, 'a module with what is not a backend', BACKEND_MODULE, { backend_id: 'ipp_office' }),
  refused(6503, 400, 'a description of 256 bytes', BACKENDS, { address: 'example.com:80', description: long(256) }),
  refused(6504, 400, 'metadata of 4,097 bytes', BACKENDS, { address: 'example.com:80', metadata: long(4097) }),
  refused(6505, 400, 'a backend without an address', BACKENDS, {}),
  refused(6506, 400, 'an address without a port', BACKENDS, { address: 'example.com' }),
  refused(6507, 400, 'an address without a host', BACKENDS, { address: ':80' }),
  refused(6514, 404, 'an unknown backend', 'GET /backends/static/bkdsc_unknown'),
  refused(6514, 404, 'an unknown failover backend', 'DELETE /backends/failover/bkdfo_unknown'),
  refused(6527, 404, 'the id of another kind of backend', 'GET /backends/weighted/bkdsc_web'),
  refused(6501, 400, 'an unknown backend in a failover backend', FAILOVER, { backends: ['bkdsc_unknown'] }),
  refused(6501, 400, 'an unknown backend in a weighted backend', WEIGHTED, { backends: { bkdsc_unknown: 1 } }),
  refused(6502, 400, 'deleting a backend inside a failover backend', 'DELETE /backends/weighted/bkdwd_canary'),
  refused(6502, 400, 'deleting a backend inside a weighted backend', 'DELETE /backends/tunnel_group/bkdtg_web'),
  accepted(204, 'deleting a backend inside none', 'DELETE /backends/failover/bkdfo_web'),
  refused(6503, 400, 'a description of a weighted backend of 256 bytes', WEIGHTED, { description: long(256) }),
  refused(6504, 400, 'metadata of an HTTP response backend of 4,097 bytes', RESPONSE, { metadata: long(4097) }),
  refused(6508, 400, '101 labels', GROUP, { labels: Object.fromEntries(times(101, i => [`l${i}`, 'v'])) }),
  refused(6509, 400, 'a label without a name', GROUP, { labels: { '': 'v' } }),
  refused(6509, 400, 'the name of a label of 256 bytes', GROUP, { labels: { [long(256)]: 'v' } }),
  refused(6510, 400, 'a label without a value', GROUP, { labels: { team: '' } }),
  refused(6510, 400, 'the value of a label of 256 bytes', GROUP, { labels: { team: long(256) } }),
  refused(6531, 400, 'the name of a label with =', GROUP, { labels: { 'a=b': 'v' } }),
  refused(6531, 400, 'the value of a label with =', GROUP, { labels: { team: 'a=b' } }),
  accepted(201, 'a label of 255 bytes', GROUP, { labels: { [long(255)]: long(255) } }),
  refused(6511, 400, '101 backends in a weighted backend', WEIGHTED, {
    backends: Object.fromEntries(times(101, i => [`bkdsc_${i}`, 1])),
  }),
  refused(6512, 400, 'a weight below 0', WEIGHTED, { backends: { bkdsc_web: -1 } }),
  refused(6512, 400, 'a weight above 10,000', WEIGHTED, { backends: { bkdsc_web: 10_001 } }),
  refused(6513, 400, '101 backends in a failover backend', FAILOVER, { backends: times(101, i => `bkdsc_${i}`) }),
  accepted(201, '100 backends in a failover backend', FAILOVER, { backends: times(100, i => `bkdsc_${i}`) }),
  refused(6516, 400, 'a body of 32,769 bytes', RESPONSE, { body: long(32_769) }),
  refused(6517, 400, 'a status that is none', RESPONSE, { status_code: 600 }),
  refused(6517, 400, 'a status that is no answer', RESPONSE, { status_code: 101 }),
  refused(6522, 400, 'a header name of 257 bytes', RESPONSE, { headers: { [long(257)]: 'v' } }),
  refused(6523, 400, 'a header value of 4,097 bytes', RESPONSE, { headers: { 'x-a': long(4097) } }),
  refused(215, 400, 'a header that frames the answer', RESPONSE, { headers: { 'Content-Length': '1' } }),
  accepted(201, 'an answer without a body', RESPONSE, { status_code: 204, headers: { 'X-A': 'v' } }),
  refused(6524, 400, 'a weighted backend in a weighted backend', WEIGHTED, { backends: { bkdwd_canary: 1 } }),
  refused(6524, 400, 'a failover backend in a weighted backend', WEIGHTED, { backends: { bkdfo_web: 1 } }),
  refused(6525, 400, 'a failover backend in a failover backend', FAILOVER, { backends: ['bkdfo_web'] }),
  refused(6525, 400, 'a failover backend in itself', 'PATCH /backends/failover/bkdfo_web', { backends: ['bkdfo_web'] }),
  accepted(201, 'a weighted backend in a failover backend', FAILOVER, { backends: ['bkdwd_canary'] }),
  refused(6526, 400, 'what is not a backend in a failover backend', FAILOVER, { backends: ['ipp_office'] }),
  refused(6526, 400, 'what is not a backend in a weighted backend', WEIGHTED, { backends: { ipp_office: 1 } }),
  accepted(201, 'weights of 0 and 10,000', WEIGHTED, { backends: { bkdsc_web: 0, bkdtg_web: 10_000 } }),

  // Edges
  refused(7000, 404, 'an unknown TCP edge', 'GET /edges/tcp/edgtcp_unknown'),
  refused(7000, 404, 'a module of an unknown edge', 'PUT /edges/tcp/edgtcp_unknown/ip_restriction', {}),
  refused(7001, 404, 'a path without the id of an edge', 'GET /edges/tcp/1000'),
  refused(7001, 404, 'the id of a TCP edge for an HTTPS edge', 'GET /edges/https/edgtcp_db'),
  refused(7007, 400, 'a module with an unknown policy', IP_MODULE, { ip_policy_ids: ['ipp_unknown'] }),
  refused(7007, 400, 'an edge whose module has an unknown policy', 'POST /edges/tcp', {
    ip_restriction: { ip_policy_ids: ['ipp_unknown'] },
  }),
  refused(229, 400, 'a module with what is not a policy', IP_MODULE, { ip_policy_ids: ['nonsense'] }),
  refused(7025, 400, 'a module without policies', IP_MODULE, {}, { assume: { module_without_policies: 'reject' } }),
  refused(7073, 400, 'a description of a TCP edge of 256 bytes', 'POST /edges/tcp', { description: long(256) }),
  refused(7073, 400, 'a description of an HTTPS edge of 256 bytes', 'POST /edges/https', { description: long(256) }),
  refused(7073, 400, 'a description of a route of 256 bytes', ROUTES, { ...route, description: long(256) }),
  refused(7074, 400, 'metadata of an edge of 4,097 bytes', 'POST /edges/tcp', { metadata: long(4097) }),
  refused(7074, 400, 'metadata of a route of 4,097 bytes', ROUTES, { ...route, metadata: long(4097) }),
  refused(7104, 400, 'a hostport without a port', 'POST /edges/tcp', { hostports: ['new.example.com'] }),
  refused(7112, 400, 'a port out of range', 'POST /edges/tcp', { hostports: ['new.example.com:70000'] }),
  refused(7116, 400, 'an HTTPS edge that is not on 443', 'POST /edges/https', { hostports: ['new.example.com:8443'] }),
  refused(7122, 400, 'a hostport of another edge', 'POST /edges/https', { hostports: ['app.example.com:443'] }),
  refused(7122, 400, 'a hostport of another edge, in an update', 'PATCH /edges/https/edghts_other', {
    hostports: ['app.example.com:443'],
  }),
  accepted(200, 'a hostport that the edge has already', 'PATCH /edges/https/edghts_web', {
    hostports: ['app.example.com:443'],
  }),

  refused(7116, 400, 'a TLS edge that is not on 443', 'POST /edges/tls', { hostports: ['new.example.com:8443'] }),
  accepted(201, 'an edge of each kind on another port of this machine', 'POST /edges/tls', {
    hostports: ['127.0.0.1:0'],
  }),
  ...(['tcp', 'tls', 'https'] as const).flatMap(kind => {
    const isTcp = kind === 'tcp'
    const [addr, name] = ['1.tcp.eu.service.example:20001', 'app.service.example:443']
    const reserved = { assume: { edge_hostports: 'reserved' } } as const
    const onNone = isTcp ? 'new.example.com:5432' : 'www.example.com:443'
    const [unreserved, mixed] = { tcp: [7113, 7120], tls: [7117, 7133], https: [7117, 7121] }[kind] as [number, number]
    const request = `POST /edges/${kind}`
    return [
      refused(
        unreserved,
        400,
        `a hostport of a ${kind} edge that is not reserved`,
        request,
        { hostports: [onNone] },
        reserved,
      ),
      refused(
        mixed,
        400,
        `a hostport of another kind, for ${kind}`,
        request,
        { hostports: [isTcp ? name : addr] },
        reserved,
      ),
      accepted(201, `a reserved hostport for ${kind}`, request, { hostports: [isTcp ? addr : name] }, reserved),
      accepted(
        201,
        `any hostport for ${kind}`,
        request,
        { hostports: [onNone] },
        { assume: { edge_hostports: 'any' } },
      ),
    ]
  }),
  accepted(
    201,
    'a name below a reserved wildcard',
    'POST /edges/https',
    { hostports: ['a.b.example.com:443'] },
    {
      assume: { edge_hostports: 'reserved' },
      first: [{ request: DOMAINS, body: domain('*.b.example.com') }],
    },
  ),
  ...(['tcp', 'tls', 'https'] as const).map(kind =>
    refused(446, 400, `deleting a domain that a ${kind} edge uses`, 'DELETE /reserved_domains/rd_free', undefined, {
      assume: { edge_hostports: 'any' },
      first: [{ request: `POST /edges/${kind}`, body: { hostports: ['free.example.com:443'] } }],
    }),
  ),
  refused(null, 400, 'deleting an address that an edge uses', 'DELETE /reserved_addrs/ra_eu', undefined, {
    first: [{ request: 'POST /edges/tcp', body: { hostports: ['1.tcp.eu.service.example:20001'] } }],
  }),

  ...ofModules,

  // Routes
  refused(7110, 404, 'a route of another edge', 'GET /edges/https/edghts_web/routes/edghtsrt_other'),
  refused(7124, 404, 'an unknown route', 'GET /edges/https/edghts_web/routes/edghtsrt_unknown'),
  refused(7123, 400, 'a route without a match', ROUTES, { match_type: 'path_prefix' }),
  refused(7126, 400, 'the same match twice', ROUTES, { match_type: 'path_prefix', match: '/api' }),
  refused(7130, 400, 'a match type that does not exist', ROUTES, { ...route, match_type: 'suffix' }),
  refused(7130, 400, 'a route without a match type', ROUTES, { match: '/new' }),
  refused(7131, 400, 'a match that is not a path', ROUTES, { ...route, match: 'new' }),
  refused(7135, 400, 'a match of 5,000 characters', ROUTES, { ...route, match: `/${long(4999)}` }),

  // Request headers
  refused(7015, 400, '6 added headers', HEADERS, { add: headers(6) }),
  refused(7015, 400, '6 removed headers', HEADERS, { remove: Object.keys(headers(6)) }),
  accepted(200, '5 added and 5 removed headers', HEADERS, { add: headers(5), remove: Object.keys(headers(5)) }),
  refused(7023, 400, 'a header name with a space', HEADERS, { add: { 'x y': 'v' } }),
  refused(7023, 400, 'user-agent, added', HEADERS, { add: { 'User-Agent': 'v' } }),
  refused(7023, 400, 'user-agent, removed', HEADERS, { remove: ['user-agent'] }),
  refused(7024, 400, 'a header value of two lines', HEADERS, { add: { 'x-a': 'a\nb' } }),
  refused(7069, 400, 'a header twice by casing', HEADERS, { add: { 'X-A': 'v', 'x-a': 'v' } }),
  refused(7105, 400, 'a header name of 5,000 bytes', HEADERS, { add: { [long(5000)]: 'v' } }),
  refused(7106, 400, 'a header value of 20,000 bytes', HEADERS, { add: { 'x-a': long(20_000) } }),
  refused(7164, 400, 'Host removed without a replacement', HEADERS, { remove: ['host'] }),
  refused(2090, 400, 'a pattern of a user agent filter that is not one', USER_AGENTS, { deny: ['('] }),
  accepted(200, 'patterns of a user agent filter', USER_AGENTS, { allow: ['(?i)curl/\\d+'] }),
  accepted(200, 'Host removed with a replacement', HEADERS, { remove: ['host'], add: { host: 'x' } }),

  // Certificates
  refused(1900, 400, 'a certificate that cannot be read', CERTIFICATES, {
    ...certificate,
    certificate_pem: certificate.certificate_pem.replace(/^MI/m, 'ME'),
  }),
  refused(1901, 400, 'a certificate without its key', CERTIFICATES, { certificate_pem: certificate.certificate_pem }),
  refused(1902, 400, 'an encrypted key', CERTIFICATES, {
    ...certificate,
    private_key_pem: certificate.private_key_pem.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE'),
  }),
  refused(1903, 400, 'a key that cannot be read', CERTIFICATES, {
    ...certificate,
    private_key_pem: certificate.private_key_pem.replace('MC4C', 'MC4D'),
  }),
  refused(1912, 400, 'two authorities', AUTHORITIES, { ca_pem: authority.repeat(2) }),
  refused(1913, 400, 'a certificate of no authority', AUTHORITIES, { ca_pem: certificate.certificate_pem }),
  refused(1919, 400, 'an authority without a certificate', AUTHORITIES, {}),
  refused(1920, 400, 'an authority that is not PEM', AUTHORITIES, { ca_pem: 'x' }),
  refused(1921, 400, 'a certificate of 17,000 bytes', CERTIFICATES, { ...certificate, certificate_pem: long(17_000) }),
  refused(1922, 400, 'a key without a certificate', CERTIFICATES, { private_key_pem: certificate.private_key_pem }),
  refused(1924, 400, 'a certificate as the key', CERTIFICATES, {
    ...certificate,
    private_key_pem: certificate.certificate_pem,
  }),
  refused(1925, 400, 'a key as the certificate', CERTIFICATES, {
    ...certificate,
    certificate_pem: certificate.private_key_pem,
  }),
  accepted(201, 'a certificate with its key', CERTIFICATES, certificate),

  // Agents and Kubernetes
  refused(1121, 400, 'an update over SSH', 'POST /tunnel_sessions/ts_ssh/update', {}),
  refused(1122, 400, 'a restart over SSH', 'POST /tunnel_sessions/ts_ssh/restart', {}),
  refused(1936, 400, 'a key of an unknown type', SSH_AUTHORITIES, { private_key_type: 'dsa' }),
  refused(1937, 400, 'a description of 256 bytes', SSH_AUTHORITIES, { description: long(256) }),
  refused(1938, 400, 'metadata of 4,097 bytes', SSH_AUTHORITIES, { metadata: long(4097) }),
  refused(1939, 400, 'a key of 1,024 bits', SSH_AUTHORITIES, { private_key_type: 'rsa', key_size: 1024 }),
  refused(1940, 400, 'the size of a key that is not RSA', SSH_AUTHORITIES, { key_size: 2048 }),
  refused(1941, 400, 'an unknown curve', SSH_AUTHORITIES, { private_key_type: 'ecdsa', elliptic_curve: 'p224' }),
  refused(1942, 400, 'the curve of a key that is not ECDSA', SSH_AUTHORITIES, {
    private_key_type: 'rsa',
    elliptic_curve: 'p256',
  }),
  refused(1964, 400, 'to delete an authority that has signed', 'DELETE /ssh_certificate_authorities/sshca_used'),
  accepted(
    204,
    'to delete one when what it signed is deleted',
    'DELETE /ssh_certificate_authorities/sshca_used',
    undefined,
    {
      first: [
        { request: 'DELETE /ssh_host_certificates/shcrt_www' },
        { request: 'DELETE /ssh_user_certificates/sucrt_ann' },
      ],
    },
  ),
  ...(
    [
      [HOSTS, { description: 1945, metadata: 1946, authority: 1949, duration: 1963 }],
      [USERS, { description: 1947, metadata: 1948, authority: 1951, duration: 1962 }],
    ] as const
  ).flatMap(([request, codes]) => [
    refused(codes.description, 400, 'a description of 256 bytes', request, {
      ...sshCertificate,
      description: long(256),
    }),
    refused(codes.metadata, 400, 'metadata of 4,097 bytes', request, { ...sshCertificate, metadata: long(4097) }),
    refused(codes.authority, 400, 'an authority that does not exist', request, {
      ...sshCertificate,
      ssh_certificate_authority_id: 'sshca_nobody',
    }),
    refused(codes.authority, 400, 'no authority', request, { public_key: sshCertificate.public_key }),
    refused(codes.duration, 400, 'an end before the beginning', request, { ...sshCertificate, ...inWrongOrder }),
    refused(1934, 400, 'a public key that cannot be read', request, { ...sshCertificate, public_key: 'ssh-rsa x' }),
    refused(1950, 400, 'a public key that no certificate is for', request, {
      ...sshCertificate,
      public_key: securityKey,
    }),
    refused(1952, 400, 'no public key', request, { ssh_certificate_authority_id: 'sshca_free' }),
  ]),
  accepted(201, 'the key of a security key', SSH_CREDENTIALS, { public_key: securityKey }),
  refused(600, 400, 'an ACL rule that binds nothing', SSH_CREDENTIALS, { public_key: securityKey, acl: ['bind:'] }),
  refused(604, 400, 'a description of 256 bytes', SSH_CREDENTIALS, {
    public_key: securityKey,
    description: long(256),
  }),
  refused(606, 400, 'an update without values', 'PATCH /ssh_credentials/sshcr_ci', {}),
  refused(609, 400, 'a key that the account has', SSH_CREDENTIALS, { public_key: sshCertificate.public_key }),
  refused(611, 400, 'no public key', SSH_CREDENTIALS, {}),
  refused(612, 400, 'a public key that cannot be read', SSH_CREDENTIALS, { public_key: 'ssh-ed25519 AAAA' }),
  refused(
    630,
    403,
    'another owner, asked for by a member',
    SSH_CREDENTIALS,
    { public_key: securityKey, owner_id: 'bot_ci' },
    { how: { token: 'sim_member' } },
  ),
  refused(636, 400, 'an owner that is not active', SSH_CREDENTIALS, { public_key: securityKey, owner_id: 'bot_idle' }),
  refused(19001, 400, 'a signing request that cannot be read', OPERATORS, { binding: { csr: 'x' } }),
  refused(19002, 400, 'an unknown feature', OPERATORS, { enabled_features: ['x'] }),
  refused(19003, 400, 'a selector that cannot be read', OPERATORS, { binding: { endpoint_selectors: ['=='] } }),

  // Edges after their end
  ...[
    'GET /edges/tcp',
    'GET /edges/https/edghts_web/routes/edghtsrt_api',
    `GET ${IP_MODULE.slice(4)}`,
    'DELETE /edges/https/edghts_web',
  ].map(request =>
    refused(7008, 410, `${request} when edges are gone`, request, undefined, { assume: { edges: 'gone' } }),
  ),
  refused(7196, 403, 'a new edge when edges are read-only', 'POST /edges/tcp', {}, { assume: { edges: 'read_only' } }),
  refused(7196, 403, 'a module when edges are read-only', HEADERS, {}, { assume: { edges: 'read_only' } }),
  refused(
    7196,
    403,
    'the deletion of a route when edges are read-only',
    'DELETE /edges/https/edghts_web/routes/edghtsrt_api',
    undefined,
    {
      assume: { edges: 'read_only' },
    },
  ),
  accepted(200, 'reading when edges are read-only', 'GET /edges/https/edghts_web', undefined, {
    assume: { edges: 'read_only' },
  }),

  // Events
  refused(235, 400, 'a destination in another format', DESTINATIONS, { format: 'xml', target: { kinesis } }),
  refused(236, 400, 'a destination in Azure without its tenant', DESTINATIONS, to({ azure_logs_ingestion: {} })),
  refused(5100, 400, 'a destination without a target', DESTINATIONS, { format: 'json' }),
  refused(5100, 400, 'a destination with no target inside', DESTINATIONS, to({})),
  refused(5115, 400, 'a destination with two targets', DESTINATIONS, to({ kinesis, datadog: { api_key: 'x' } })),
  refused(5106, 400, 'a target without auth', DESTINATIONS, to({ kinesis: { stream_arn: kinesis.stream_arn } })),
  refused(5107, 400, 'auth without a role or credentials', DESTINATIONS, to({ kinesis: { ...kinesis, auth: {} } })),
  refused(5116, 400, 'auth with both', DESTINATIONS, {
    ...to({
      kinesis: { ...kinesis, auth: { ...role, creds: { aws_access_key_id: 'a', aws_secret_access_key: 'b' } } },
    }),
  }),
  refused(
    5120,
    400,
    'an ARN of something else',
    DESTINATIONS,
    to({ kinesis: { ...kinesis, stream_arn: 'arn:aws:s3:::x' } }),
  ),
  refused(5133, 400, 'Datadog without a key', DESTINATIONS, to({ datadog: {} })),
  accepted(201, 'Datadog with a key', DESTINATIONS, to({ datadog: { api_key: 'x' } })),
  refused(5108, 400, 'another target', 'PATCH /event_destinations/ed_audit', { target: { datadog: { api_key: 'x' } } }),
  refused(5112, 400, 'the deletion of a destination that is used', 'DELETE /event_destinations/ed_audit'),
  refused(5103, 400, 'a subscription to no destination', SUBSCRIPTIONS, { destination_ids: ['ed_none'] }),
  refused(238, 400, 'a source of an unknown type', SUBSCRIPTIONS, { sources: [{ type: 'nothing.v0' }] }),
  refused(5127, 400, 'a source twice', SUBSCRIPTIONS, {
    sources: [{ type: 'vault_created.v0' }, { type: 'vault_created.v0' }],
  }),
  refused(5123, 404, 'no such subscription', 'GET /event_subscriptions/esb_none'),
  refused(5123, 404, 'sources of no subscription', 'GET /event_subscriptions/esb_none/sources'),
  refused(5125, 404, 'a source that it does not have', 'GET /event_subscriptions/esb_audit/sources/vault_created.v0'),
]
