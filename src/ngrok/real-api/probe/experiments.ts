import { isObject } from '../../../basics/json.ts'
import type { ErrorKind } from '../../../engine/error.ts'
import type { AssumptionName } from '../../assumed.ts'
import { rsaBitsOf } from '../../certificates/ssh/public-key.ts'
import { errors } from '../../errors.ts'
import {
  create,
  type Experiment,
  edge,
  get,
  idsIn,
  MARK_LENGTH,
  type Match,
  means,
  type NotTested,
  next,
  noEdges,
  patch,
  policy,
  put,
  rejected,
  remove,
  restriction,
  route,
  shows,
  status,
  tryCreate,
  unavailable,
} from './experiment.ts'

/** A name of this many bytes that contains the marker. */
const nameOf = (bytes: number) => `{mark}${'x'.repeat(bytes - MARK_LENGTH)}`
const TRAFFIC = 'It is visible only in traffic, and the edge would need a public address.'
const hasIds = (member: string, ids: readonly string[]) => (body: Record<string, unknown>) =>
  idsIn(body[member]).join() === ids.join()

const withVersion = (version: string | null, error: ErrorKind): Experiment => ({
  steps: [{ ...get('/api_keys?limit=1', means('reject', rejected(error)), means('accept', status(200))), version }],
})

const notSupported: Match = {
  words: '405 with Allow',
  fits: ({ status, headers }) => status === 405 && typeof headers.allow === 'string',
}

/** A public key without a known private key. */
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAaVNrmXFyv48F2yilefH7YuwW4KoY9nSws2looW4V0l'
const LATER = '2037-01-01T00:00:00Z'
const authority = (as: string, body = {}) => create('/ssh_certificate_authorities', as, body)
const certificate = { ssh_certificate_authority_id: '{authority}', public_key: PUBLIC_KEY }
const secret = { vault_id: '{vault}', name: '{mark}' }

const many = (count: number, of: (i: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)))

/** The experiment for each assumption. The type requires one for every new assumption. */
export const experiments: Record<AssumptionName, Experiment | NotTested> = {
  missing_version: withVersion(null, errors.missing_version),
  wrong_version: withVersion('99', errors.wrong_version),
  unknown_field: {
    steps: [
      tryCreate(
        '/ip_policies',
        { edgesim_probe: true },
        means('reject', rejected(errors.unknown_field)),
        means('ignore', status(201)),
      ),
    ],
  },
  unknown_query: {
    steps: [
      get(
        '/api_keys?limit=1&edgesim_probe=1',
        means('ignore', status(200)),
        means('reject', rejected(errors.unknown_query)),
      ),
    ],
  },
  unknown_reference: {
    steps: [
      tryCreate(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['ipp_{new}'] },
        means('reject', rejected(errors.policy_missing)),
        means('accept', status(201)),
      ),
    ],
  },
  absent_module: {
    steps: [
      edge('tcp'),
      get('/edges/tcp/{edge}/ip_restriction', means('not_found', status(404)), means('defaults', status(200))),
    ],
  },
  delete_absent_module: {
    steps: [
      edge('tcp'),
      remove('/edges/tcp/{edge}/ip_restriction', means('succeed', status(204)), means('not_found', status(404))),
    ],
  },
  restriction_without_policies: {
    steps: [
      tryCreate(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false },
        means('accept', status(201)),
        means('reject', rejected(errors.no_policies)),
      ),
    ],
  },
  restrictions_per_type: {
    steps: [
      policy(),
      tryCreate(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['{policy}'] },
        next(status(201)),
        means('one', rejected(errors.one_per_type)),
      ),
      tryCreate(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['{policy}'] },
        means('many', status(201)),
        means('one', rejected(errors.one_per_type)),
      ),
    ],
  },
  empty_policy_list_on_update: {
    steps: [
      policy(),
      restriction('restriction'),
      patch(
        '/ip_restrictions/{restriction}',
        { ip_policy_ids: [] },
        means('clear', shows('with no policies', hasIds('ip_policies', []))),
        means(
          'keep',
          shows('with the policy', ({ ip_policies }, { policy }) => idsIn(ip_policies).includes(policy)),
        ),
        means('reject', rejected(errors.no_policies)),
      ),
    ],
  },
  other_owners_keys: {
    because:
      'It needs a key that belongs to a non-admin user. Creating one would expose a secret that can act in the account.',
  },
  page_order: {
    steps: [
      policy('older'),
      policy('newer'),
      get(
        '/ip_policies?limit=1&before_id={newer}',
        means(
          'newest_first',
          shows('with the older one', ({ ip_policies }, { older }) => idsIn(ip_policies).includes(older)),
        ),
        next(shows('without it', ({ ip_policies }) => Array.isArray(ip_policies))),
      ),
      get(
        '/ip_policies?limit=1&before_id={older}',
        means(
          'oldest_first',
          shows('with the newer one', ({ ip_policies }, { newer }) => idsIn(ip_policies).includes(newer)),
        ),
      ),
    ],
  },
  no_policies_attached: { because: 'An enforced restriction could lock people and clients out of the account.' },
  add_existing_header: { because: TRAFFIC },
  required_fields: {
    steps: [
      policy(),
      tryCreate('/ip_restrictions', { ip_policy_ids: ['{policy}'] }, next(rejected(errors.bad_restriction_type))),
      {
        ...restriction('restriction', { enforced: undefined, ip_policy_ids: ['{policy}'] }),
        meanings: [
          means(
            'type',
            shows('not enforced', ({ enforced }) => enforced === false),
          ),
          ...restriction('restriction').meanings.slice(1),
        ],
      },
    ],
    leavesOpen: 'whether ip_policy_ids may be omitted (see restriction_without_policies)',
  },
  error_shape: {
    steps: [
      get(
        '/ip_policies/ipp_{new}',
        means('error_code, status_code, msg, details', {
          words: '404 with exactly these fields, of the expected types',
          fits: ({ status, body }) =>
            status === 404 &&
            isObject(body) &&
            Object.keys(body).sort().join() === 'details,error_code,msg,status_code' &&
            typeof body.error_code === 'string' &&
            body.status_code === 404 &&
            typeof body.msg === 'string' &&
            isObject(body.details),
        }),
      ),
    ],
  },
  not_found_code: {
    steps: [
      get(
        '/api_keys/ak_{new}',
        means('none', {
          words: '404 with a body without error_code',
          fits: ({ status, body }) => status === 404 && isObject(body) && body.error_code === undefined,
        }),
        means('ours', {
          words: '404 with an edgesim error_code',
          fits: ({ status, body }) => status === 404 && isObject(body) && /^ERR_EDGESIM_/.test(String(body.error_code)),
        }),
      ),
    ],
  },
  page_size: {
    steps: [
      policy('older'),
      policy('newer'),
      get(
        '/ip_policies?limit=1',
        next(
          shows('with one item, and a next page that begins before it', ({ ip_policies, next_page_uri }) => {
            const [id, ...others] = idsIn(ip_policies)
            return others.length === 0 && String(next_page_uri).includes(`before_id=${id}`)
          }),
        ),
      ),
      get('/ip_policies?limit=0', next(rejected(errors.limit_out_of_range))),
      get('/ip_policies?limit=101', next(rejected(errors.limit_out_of_range))),
      get('/ip_policies?limit=100', means('limit 1 to 100 (100), before_id', status(200))),
    ],
    leavesOpen: 'the default page size, which would need more than 100 records',
  },
  header_rules: {
    steps: [
      edge('https'),
      route(),
      ...(
        [
          [{ 'bad name': 'x' }, rejected(errors.header_name)],
          [{ connection: 'x' }, rejected(errors.header_name)],
          [{ ['x'.repeat(257)]: 'x' }, rejected(errors.header_name_too_long)],
          [{ x: 'a\u0001b' }, rejected(errors.header_value)],
          [{ x: 'x'.repeat(4097) }, rejected(errors.header_value_too_long)],
        ] as const
      ).map(([add, match]) => put('/edges/https/{edge}/routes/{route}/request_headers', { add }, next(match))),
      put(
        '/edges/https/{edge}/routes/{route}/request_headers',
        { add: { ['x'.repeat(256)]: 'x'.repeat(4096) } },
        means('RFC 9110 names up to 256 bytes, printable values up to 4096, no connection headers', status(200)),
      ),
    ],
  },
  wrong_method: {
    steps: [
      policy(),
      { method: 'PUT', path: '/ip_policies/{policy}', body: {}, meanings: [next(notSupported)] },
      { method: 'HEAD', path: '/ip_policies', meanings: [next(notSupported)] },
      {
        method: 'OPTIONS',
        path: '/ip_policies',
        meanings: [means('405 with Allow, also for HEAD and OPTIONS', notSupported)],
      },
    ],
  },
  unset_text: {
    steps: [
      tryCreate(
        '/ip_policies',
        {},
        means(
          'omit',
          shows('without a description', body => !('description' in body)),
        ),
        means(
          'empty',
          shows('with an empty description', ({ description }) => description === ''),
        ),
      ),
    ],
  },
  module_without_policies: {
    steps: [
      edge('tcp'),
      put(
        '/edges/tcp/{edge}/ip_restriction',
        { enabled: false, ip_policy_ids: [] },
        means('accept', status(200)),
        means('reject', rejected(errors.module_no_policies)),
      ),
    ],
  },
  neighbours: {
    steps: [get('/ip_policies?limit=1', means('serve', status(200)), means('absent', status(404, 501)))],
  },
  delete_referenced: {
    steps: [
      policy(),
      restriction('restriction'),
      remove('/ip_policies/{policy}', means('detach', status(204)), next(status(400, 409))),
      policy('another'),
      edge('tcp'),
      put('/edges/tcp/{edge}/ip_restriction', { enabled: false, ip_policy_ids: ['{another}'] }, next(status(200))),
      remove('/ip_policies/{another}', means('documented', status(204)), means('reject', status(400, 409))),
    ],
    leavesOpen: 'records other than IP policies',
  },
  list_filter: {
    steps: [
      policy(),
      policy('other'),
      get(
        `/ip_policies?limit=100&filter=${encodeURIComponent('obj.id == "')}{policy}${encodeURIComponent('"')}`,
        means(
          'documented',
          shows('with this policy only', ({ ip_policies }, { policy }) => idsIn(ip_policies).join() === policy),
        ),
        means(
          'ignore',
          shows('with other policies', ({ ip_policies }, { policy }) => idsIn(ip_policies).some(id => id !== policy)),
        ),
        means('reject', rejected(errors.unknown_query)),
      ),
    ],
  },
  backends_on_update: {
    steps: [
      create('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
      create('/backends/failover', 'failover', { backends: ['{backend}'] }),
      patch(
        '/backends/failover/{failover}',
        { description: 'edgesim probe' },
        means(
          'clear',
          shows('with no backends', ({ backends }) => String(backends) === ''),
        ),
        means(
          'keep',
          shows('with the backend', ({ backends }, { backend }) => String(backends) === backend),
        ),
      ),
    ],
  },
  backend_limits: {
    steps: [
      ...(
        [
          [many(101, i => [`l${i}`, 'x']), errors.too_many_labels],
          [{ ['x'.repeat(256)]: 'x' }, errors.label_name_length],
          [{ x: 'x'.repeat(256) }, errors.label_value_length],
        ] as const
      ).map(([labels, error]) => tryCreate('/backends/tunnel_group', { labels }, next(rejected(error)))),
      tryCreate(
        '/backends/tunnel_group',
        { labels: many(100, i => [`${i}${'x'.repeat(255 - String(i).length)}`, 'x'.repeat(255)]) },
        next(status(201)),
      ),
      ...(
        [
          [{ body: 'x'.repeat(32_769) }, errors.response_body_too_long],
          [{ headers: { ['x'.repeat(257)]: 'x' } }, errors.response_header_name_too_long],
          [{ headers: { x: 'x'.repeat(4097) } }, errors.response_header_value_too_long],
          [{ status_code: 199 }, errors.bad_response_status],
          [{ status_code: 600 }, errors.bad_response_status],
        ] as const
      ).map(([body, error]) => tryCreate('/backends/http_response', body, next(rejected(error)))),
      tryCreate(
        '/backends/http_response',
        { body: 'x'.repeat(32_768), headers: { ['x'.repeat(256)]: 'x'.repeat(4096) }, status_code: 599 },
        means(
          '100 backends, 100 labels of 1 to 255 bytes, a body of 32768 bytes, header names of 256 and values of 4096; 200 to 599',
          status(201),
        ),
      ),
    ],
    leavesOpen: 'the number of backends in a backend, which would need more than 100',
  },
  backend_nesting: {
    steps: [
      create('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
      create('/backends/http_response', 'response'),
      create('/backends/tunnel_group', 'tunnels', { labels: { edgesim: '{run}' } }),
      create('/backends/weighted', 'weighted', { backends: { '{backend}': 1, '{response}': 1, '{tunnels}': 1 } }),
      create('/backends/failover', 'failover', { backends: ['{backend}', '{response}', '{tunnels}', '{weighted}'] }),
      tryCreate('/backends/weighted', { backends: { '{weighted}': 1 } }, next(rejected(errors.not_for_weighted))),
      tryCreate('/backends/weighted', { backends: { '{failover}': 1 } }, next(rejected(errors.not_for_weighted))),
      tryCreate(
        '/backends/failover',
        { backends: ['{failover}'] },
        means(
          'weighted: static, HTTP response, tunnel group; failover: these and weighted',
          rejected(errors.not_for_failover),
        ),
      ),
    ],
  },
  header_limits: {
    steps: [
      edge('https'),
      route(),
      put(
        '/edges/https/{edge}/routes/{route}/request_headers',
        { add: many(6, i => [`x-edgesim-${i}`, 'x']) },
        means('documented', rejected(errors.too_many_headers)),
        means('wide', status(200)),
      ),
    ],
    leavesOpen: 'added headers in traffic',
  },
  empty_update: {
    steps: [
      policy(),
      patch(
        '/ip_policies/{policy}',
        {},
        means('documented', rejected(errors.policy_update_empty)),
        means('accept', status(200)),
      ),
    ],
  },
  empty_text_on_update: {
    steps: [
      create('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
      patch(
        '/backends/static/{backend}',
        { address: '' },
        means(
          'keep',
          shows('with the address', ({ address }) => address === 'edgesim-probe.example:80'),
        ),
        means('reject', status(400)),
      ),
    ],
  },
  match_length: {
    steps: [
      edge('https'),
      tryCreate(
        '/edges/https/{edge}/routes',
        { match_type: 'exact_path', match: `/${'x'.repeat(4096)}` },
        next(rejected(errors.match_too_long)),
      ),
      tryCreate(
        '/edges/https/{edge}/routes',
        { match_type: 'exact_path', match: `/${'x'.repeat(4095)}` },
        means('4096 bytes', status(201)),
      ),
    ],
  },
  user_agents: { because: TRAFFIC },
  circuit: { because: TRAFFIC },
  compressed_answers: { because: TRAFFIC },
  webhook_providers: { because: TRAFFIC },
  name_length: {
    steps: [
      tryCreate('/vaults', { name: nameOf(256) }, next(rejected(errors.vault_name_too_long))),
      tryCreate('/vaults', { name: nameOf(255) }, means('255 bytes', status(201))),
    ],
    leavesOpen: 'the names of bot users, service users and secrets',
  },
  vault_names: {
    steps: [
      tryCreate('/vaults', { name: '{mark} x' }, next(rejected(errors.bad_vault_name))),
      tryCreate('/vaults', { name: '{mark}Az09_/.-' }, means('A-Z a-z 0-9 _ / . -', status(201))),
    ],
  },
  secret_vault_name: {
    steps: [
      create('/vaults', 'vault', { name: '{mark}' }),
      tryCreate(
        '/vault_secrets',
        { ...secret, value: 'x' },
        means(
          'shown',
          shows('with vault_name', ({ vault_name }) => typeof vault_name === 'string'),
        ),
        means(
          'absent',
          shows('without vault_name', ({ vault_name }) => vault_name === undefined),
        ),
      ),
    ],
  },
  secret_length: {
    steps: [
      create('/vaults', 'vault', { name: '{mark}' }),
      tryCreate('/vault_secrets', { ...secret, value: 'x'.repeat(32_769) }, next(rejected(errors.secret_too_long))),
      tryCreate('/vault_secrets', { ...secret, value: 'x'.repeat(32_768) }, means('32768 bytes', status(201))),
    ],
  },
  certificate_provisioning: {
    because: 'It needs a domain with its own DNS records, and it requests a certificate from a certificate authority.',
  },
  operator_ingress: { because: 'The account would temporarily show a cluster that does not exist.' },
  ai_gateway_keys: { because: 'It would create a usable key for an endpoint that people may reach.' },
  ingress_names: { because: 'It would take over one of your domains for agents, and may cost money.' },
  abuse_review: { because: 'It would file an abuse report that people have to review.' },
  application_ids: {
    steps: [
      get(
        '/app/users?limit=1',
        next(shows('with an id appusr_…', firstId('application_users', /^appusr_/))),
        noneYet('application_users'),
        unavailable('/app/users'),
      ),
      get(
        '/app/sessions?limit=1',
        means('appusr_, appsess_', shows('with an id appsess_…', firstId('application_sessions', /^appsess_/))),
        noneYet('application_sessions'),
        unavailable('/app/sessions'),
      ),
    ],
  },
  endpoint_domain: {
    because: 'It would open a public endpoint and may reserve a domain. Both may cost money.',
  },
  ssh_authority_keys: { because: 'It applies only to the simulator. The API does not reveal its private keys.' },
  ssh_key_defaults: {
    steps: [
      {
        ...authority('usual'),
        meanings: [
          next(shows('with an ed25519 key', ({ public_key }) => String(public_key).startsWith('ssh-ed25519 '))),
          ...authority('usual').meanings.slice(1),
        ],
      },
      tryCreate(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa' },
        next(shows('with a p256 key', ({ public_key }) => String(public_key).startsWith('ecdsa-sha2-nistp256 '))),
      ),
      tryCreate(
        '/ssh_certificate_authorities',
        { private_key_type: 'rsa' },
        means(
          'ed25519; of ecdsa, p256; of rsa, 2048 bits',
          shows('with a key of 2048 bits', ({ public_key }) => rsaBitsOf(public_key) === 2048),
        ),
      ),
    ],
  },
  ssh_curves: {
    steps: [
      tryCreate(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa', elliptic_curve: 'p224' },
        next(rejected(errors.bad_ssh_curve)),
      ),
      ...['p256', 'p384'].map(curve => authority(curve, { private_key_type: 'ecdsa', elliptic_curve: curve })),
      tryCreate(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa', elliptic_curve: 'p521' },
        means('p256, p384, p521', status(201)),
      ),
    ],
  },
  ssh_validity: {
    steps: [
      authority('authority'),
      tryCreate(
        '/ssh_user_certificates',
        { ...certificate, valid_after: LATER },
        next(shows('valid until 2037-01-02', ({ valid_until }) => valid_until === '2037-01-02T00:00:00Z')),
      ),
      tryCreate(
        '/ssh_host_certificates',
        { ...certificate, valid_after: LATER },
        means(
          'valid_after',
          shows('valid until 2038-01-01', ({ valid_until }) => valid_until === '2038-01-01T00:00:00Z'),
        ),
      ),
    ],
  },
  ssh_empty_extensions: {
    steps: [
      authority('authority'),
      tryCreate(
        '/ssh_user_certificates',
        { ...certificate, extensions: {} },
        means(
          'permit-pty, permit-user-rc',
          shows('with these two', ({ extensions }) =>
            isObject(extensions) ? Object.keys(extensions).sort().join() === 'permit-pty,permit-user-rc' : false,
          ),
        ),
      ),
    ],
  },
  ssh_error_numbers: {
    steps: [
      authority('authority'),
      tryCreate(
        '/ssh_host_certificates',
        { ...certificate, description: 'x'.repeat(256) },
        next(rejected(errors.ssh_host_description_too_long)),
      ),
      tryCreate(
        '/ssh_user_certificates',
        { ...certificate, description: 'x'.repeat(256) },
        next(rejected(errors.ssh_user_description_too_long)),
      ),
      tryCreate(
        '/ssh_host_certificates',
        { ...certificate, ssh_certificate_authority_id: 'sshca_{new}' },
        next(rejected(errors.ssh_host_authority_missing)),
      ),
      tryCreate(
        '/ssh_user_certificates',
        { ...certificate, ssh_certificate_authority_id: 'sshca_{new}' },
        means('hosts: 1945, 1946, 1949; users: 1947, 1948, 1951', rejected(errors.ssh_user_authority_missing)),
      ),
    ],
    leavesOpen: 'errors 1946 and 1948 (metadata, which contains the marker)',
  },
  rate_limit: { because: 'It would send more requests than the API allows, and production shares that limit.' },
  module_limits: { because: 'It covers the limits of many modules, and some would need a hundred records.' },
  edge_hostports: {
    steps: [
      tryCreate(
        '/edges/tls',
        { hostports: ['{run}.example.com:443'] },
        means('any', status(201)),
        means('reserved', rejected(errors.domain_not_reserved)),
        noEdges,
      ),
    ],
  },
  tls_edge_without_termination: { because: TRAFFIC },
  edges: {
    steps: [
      tryCreate(
        '/edges/tcp',
        {},
        means('available', status(201)),
        means('read_only', rejected(errors.edges_read_only)),
        means('gone', rejected(errors.edges_gone)),
      ),
    ],
  },
}

function firstId(list: string, form: RegExp) {
  return (body: Record<string, unknown>) => form.test(String(idsIn(body[list])[0]))
}

function noneYet(list: string) {
  return {
    undecided: `the account has no ${list}`,
    match: shows('with no items', ({ [list]: items }) => Array.isArray(items) && items.length === 0),
  }
}
