import { isObject } from '../../basics/json.ts'
import { rsaBitsOf } from '../../certificates/ssh/public-key.ts'
import type { AssumptionName } from '../../contract/assumptions.ts'
import {
  absentAt,
  type Experiment,
  edge,
  get,
  goOn,
  idsIn,
  MARK_LENGTH,
  type Match,
  make,
  means,
  type NotTried,
  noEdges,
  patch,
  policy,
  put,
  refused,
  remove,
  restriction,
  route,
  shows,
  status,
  tryToMake,
} from './experiment.ts'

/** A name of so many bytes, with the mark in it. */
const nameOf = (bytes: number) => `{mark}${'x'.repeat(bytes - MARK_LENGTH)}`
const TRAFFIC = 'It only shows in traffic, for which an edge would need an address that anybody can reach.'
const only = (member: string, ids: readonly string[]) => (body: Record<string, unknown>) =>
  idsIn(body[member]).join() === ids.join()

const withVersion = (version: string | null, error: 'missing_version' | 'wrong_version'): Experiment => ({
  steps: [{ ...get('/api_keys?limit=1', means('reject', refused(error)), means('accept', status(200))), version }],
})

const notSupported: Match = {
  words: '405 with Allow',
  fits: ({ status, headers }) => status === 405 && typeof headers.allow === 'string',
}

/** A public key that nobody has the private key of. */
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAaVNrmXFyv48F2yilefH7YuwW4KoY9nSws2looW4V0l'
const LATER = '2037-01-01T00:00:00Z'
const authority = (as: string, body = {}) => make('/ssh_certificate_authorities', as, body)
const certificate = { ssh_certificate_authority_id: '{authority}', public_key: PUBLIC_KEY }
const secret = { vault_id: '{vault}', name: '{mark}' }

const many = (count: number, of: (i: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => of(i)))

/** How each assumption is tried on the real service. The type asks for those of new ones. */
export const experiments: Record<AssumptionName, Experiment | NotTried> = {
  missing_version: withVersion(null, 'missing_version'),
  wrong_version: withVersion('99', 'wrong_version'),
  unknown_field: {
    steps: [
      tryToMake(
        '/ip_policies',
        { edgesim_probe: true },
        means('reject', refused('unknown_field')),
        means('ignore', status(201)),
      ),
    ],
  },
  unknown_query: {
    steps: [
      get('/api_keys?limit=1&edgesim_probe=1', means('ignore', status(200)), means('reject', refused('unknown_query'))),
    ],
  },
  unknown_reference: {
    steps: [
      tryToMake(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['ipp_{new}'] },
        means('reject', refused('policy_missing')),
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
      tryToMake(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false },
        means('accept', status(201)),
        means('reject', refused('no_policies')),
      ),
    ],
  },
  restrictions_per_type: {
    steps: [
      policy(),
      tryToMake(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['{policy}'] },
        goOn(status(201)),
        means('one', refused('one_per_type')),
      ),
      tryToMake(
        '/ip_restrictions',
        { type: 'dashboard', enforced: false, ip_policy_ids: ['{policy}'] },
        means('many', status(201)),
        means('one', refused('one_per_type')),
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
        means('clear', shows('with no policies', only('ip_policies', []))),
        means(
          'keep',
          shows('with the policy', ({ ip_policies }, { policy }) => idsIn(ip_policies).includes(policy)),
        ),
        means('reject', refused('no_policies')),
      ),
    ],
  },
  other_owners_keys: {
    because:
      'It takes a key of somebody who is no admin. To make one would give a secret to this program that can act in the account.',
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
        goOn(shows('without it', ({ ip_policies }) => Array.isArray(ip_policies))),
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
  no_policies_attached: { because: 'An enforced restriction could keep people and programs out of the account.' },
  add_existing_header: { because: TRAFFIC },
  required_fields: {
    steps: [
      policy(),
      tryToMake('/ip_restrictions', { ip_policy_ids: ['{policy}'] }, goOn(refused('bad_restriction_type'))),
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
    leavesOpen: 'whether ip_policy_ids may be left out: restriction_without_policies asks for that',
  },
  error_shape: {
    steps: [
      get(
        '/ip_policies/ipp_{new}',
        means('error_code, status_code, msg, details', {
          words: '404 with a body that has exactly these members, texts and a number',
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
          words: '404 with a body that has no error_code',
          fits: ({ status, body }) => status === 404 && isObject(body) && body.error_code === undefined,
        }),
        means('ours', {
          words: '404 with an error_code of edgesim',
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
        goOn(
          shows('with one item, and a next page that begins before it', ({ ip_policies, next_page_uri }) => {
            const [id, ...others] = idsIn(ip_policies)
            return others.length === 0 && String(next_page_uri).includes(`before_id=${id}`)
          }),
        ),
      ),
      get('/ip_policies?limit=0', goOn(refused('limit_out_of_range'))),
      get('/ip_policies?limit=101', goOn(refused('limit_out_of_range'))),
      get('/ip_policies?limit=100', means('limit 1 to 100 (100), before_id', status(200))),
    ],
    leavesOpen: 'how long a page is if no limit is given: it would take more than 100 records',
  },
  header_rules: {
    steps: [
      edge('https'),
      route(),
      ...(
        [
          [{ 'bad name': 'x' }, refused('header_name')],
          [{ connection: 'x' }, refused('header_name')],
          [{ ['x'.repeat(257)]: 'x' }, refused('header_name_too_long')],
          [{ x: 'a\u0001b' }, refused('header_value')],
          [{ x: 'x'.repeat(4097) }, refused('header_value_too_long')],
        ] as const
      ).map(([add, match]) => put('/edges/https/{edge}/routes/{route}/request_headers', { add }, goOn(match))),
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
      { method: 'PUT', path: '/ip_policies/{policy}', body: {}, meanings: [goOn(notSupported)] },
      { method: 'HEAD', path: '/ip_policies', meanings: [goOn(notSupported)] },
      {
        method: 'OPTIONS',
        path: '/ip_policies',
        meanings: [means('405 with Allow, also for HEAD and OPTIONS', notSupported)],
      },
    ],
  },
  unset_text: {
    steps: [
      tryToMake(
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
        means('reject', refused('module_no_policies')),
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
      remove('/ip_policies/{policy}', means('detach', status(204)), goOn(status(400, 409))),
      policy('another'),
      edge('tcp'),
      put('/edges/tcp/{edge}/ip_restriction', { enabled: false, ip_policy_ids: ['{another}'] }, goOn(status(200))),
      remove('/ip_policies/{another}', means('documented', status(204)), means('reject', status(400, 409))),
    ],
    leavesOpen: 'other records than IP policies',
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
          shows('with others too', ({ ip_policies }, { policy }) => idsIn(ip_policies).some(id => id !== policy)),
        ),
        means('reject', refused('unknown_query')),
      ),
    ],
  },
  backends_on_update: {
    steps: [
      make('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
      make('/backends/failover', 'failover', { backends: ['{backend}'] }),
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
          [many(101, i => [`l${i}`, 'x']), 'too_many_labels'],
          [{ ['x'.repeat(256)]: 'x' }, 'label_name_length'],
          [{ x: 'x'.repeat(256) }, 'label_value_length'],
        ] as const
      ).map(([labels, error]) => tryToMake('/backends/tunnel_group', { labels }, goOn(refused(error)))),
      tryToMake(
        '/backends/tunnel_group',
        { labels: many(100, i => [`${i}${'x'.repeat(255 - String(i).length)}`, 'x'.repeat(255)]) },
        goOn(status(201)),
      ),
      ...(
        [
          [{ body: 'x'.repeat(32_769) }, 'response_body_too_long'],
          [{ headers: { ['x'.repeat(257)]: 'x' } }, 'response_header_name_too_long'],
          [{ headers: { x: 'x'.repeat(4097) } }, 'response_header_value_too_long'],
          [{ status_code: 199 }, 'bad_response_status'],
          [{ status_code: 600 }, 'bad_response_status'],
        ] as const
      ).map(([body, error]) => tryToMake('/backends/http_response', body, goOn(refused(error)))),
      tryToMake(
        '/backends/http_response',
        { body: 'x'.repeat(32_768), headers: { ['x'.repeat(256)]: 'x'.repeat(4096) }, status_code: 599 },
        means(
          '100 backends, 100 labels of 1 to 255 bytes, a body of 32768 bytes, header names of 256 and values of 4096; 200 to 599',
          status(201),
        ),
      ),
    ],
    leavesOpen: 'how many backends may be inside one: it would take more than 100 of them',
  },
  backend_nesting: {
    steps: [
      make('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
      make('/backends/http_response', 'response'),
      make('/backends/tunnel_group', 'tunnels', { labels: { edgesim: '{run}' } }),
      make('/backends/weighted', 'weighted', { backends: { '{backend}': 1, '{response}': 1, '{tunnels}': 1 } }),
      make('/backends/failover', 'failover', { backends: ['{backend}', '{response}', '{tunnels}', '{weighted}'] }),
      tryToMake('/backends/weighted', { backends: { '{weighted}': 1 } }, goOn(refused('not_for_weighted'))),
      tryToMake('/backends/weighted', { backends: { '{failover}': 1 } }, goOn(refused('not_for_weighted'))),
      tryToMake(
        '/backends/failover',
        { backends: ['{failover}'] },
        means(
          'weighted: static, HTTP response, tunnel group; failover: these and weighted',
          refused('not_for_failover'),
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
        means('documented', refused('too_many_headers')),
        means('wide', status(200)),
      ),
    ],
    leavesOpen: 'what becomes of added headers in traffic',
  },
  empty_update: {
    steps: [
      policy(),
      patch(
        '/ip_policies/{policy}',
        {},
        means('documented', refused('policy_update_empty')),
        means('accept', status(200)),
      ),
    ],
  },
  empty_text_on_update: {
    steps: [
      make('/backends/static', 'backend', { address: 'edgesim-probe.example:80' }),
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
      tryToMake(
        '/edges/https/{edge}/routes',
        { match_type: 'exact_path', match: `/${'x'.repeat(4096)}` },
        goOn(refused('match_too_long')),
      ),
      tryToMake(
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
      tryToMake('/vaults', { name: nameOf(256) }, goOn(refused('vault_name_too_long'))),
      tryToMake('/vaults', { name: nameOf(255) }, means('255 bytes', status(201))),
    ],
    leavesOpen: 'the names of bot users, service users and secrets',
  },
  vault_names: {
    steps: [
      tryToMake('/vaults', { name: '{mark} x' }, goOn(refused('bad_vault_name'))),
      tryToMake('/vaults', { name: '{mark}Az09_/.-' }, means('A-Z a-z 0-9 _ / . -', status(201))),
    ],
  },
  secret_vault_name: {
    steps: [
      make('/vaults', 'vault', { name: '{mark}' }),
      tryToMake(
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
      make('/vaults', 'vault', { name: '{mark}' }),
      tryToMake('/vault_secrets', { ...secret, value: 'x'.repeat(32_769) }, goOn(refused('secret_too_long'))),
      tryToMake('/vault_secrets', { ...secret, value: 'x'.repeat(32_768) }, means('32768 bytes', status(201))),
    ],
  },
  certificate_provisioning: {
    because:
      'It takes a domain with DNS records of its own, and a certificate authority would be asked for a certificate.',
  },
  operator_ingress: { because: 'The account would show a cluster that does not exist, for as long as it takes.' },
  ai_gateway_keys: { because: 'It would make a key that somebody could use, for an endpoint that people may reach.' },
  ingress_names: { because: 'It would take a domain of yours over for agents, and may be charged.' },
  abuse_review: { because: 'It would report somebody to the people who look after abuse.' },
  application_ids: {
    steps: [
      get(
        '/app/users?limit=1',
        goOn(shows('with an id appusr_…', firstId('application_users', /^appusr_/))),
        noneYet('application_users'),
        absentAt('/app/users'),
      ),
      get(
        '/app/sessions?limit=1',
        means('appusr_, appsess_', shows('with an id appsess_…', firstId('application_sessions', /^appsess_/))),
        noneYet('application_sessions'),
        absentAt('/app/sessions'),
      ),
    ],
  },
  endpoint_domain: {
    because: 'It would open an endpoint that anybody can reach, and may reserve a domain; both may be charged.',
  },
  ssh_authority_keys: { because: 'It is about the simulator: the service tells nobody where its private keys are.' },
  ssh_key_defaults: {
    steps: [
      {
        ...authority('usual'),
        meanings: [
          goOn(shows('with an ed25519 key', ({ public_key }) => String(public_key).startsWith('ssh-ed25519 '))),
          ...authority('usual').meanings.slice(1),
        ],
      },
      tryToMake(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa' },
        goOn(shows('with a p256 key', ({ public_key }) => String(public_key).startsWith('ecdsa-sha2-nistp256 '))),
      ),
      tryToMake(
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
      tryToMake(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa', elliptic_curve: 'p224' },
        goOn(refused('bad_ssh_curve')),
      ),
      ...['p256', 'p384'].map(curve => authority(curve, { private_key_type: 'ecdsa', elliptic_curve: curve })),
      tryToMake(
        '/ssh_certificate_authorities',
        { private_key_type: 'ecdsa', elliptic_curve: 'p521' },
        means('p256, p384, p521', status(201)),
      ),
    ],
  },
  ssh_validity: {
    steps: [
      authority('authority'),
      tryToMake(
        '/ssh_user_certificates',
        { ...certificate, valid_after: LATER },
        goOn(shows('valid until 2037-01-02', ({ valid_until }) => valid_until === '2037-01-02T00:00:00Z')),
      ),
      tryToMake(
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
      tryToMake(
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
      tryToMake(
        '/ssh_host_certificates',
        { ...certificate, description: 'x'.repeat(256) },
        goOn(refused('ssh_host_description_too_long')),
      ),
      tryToMake(
        '/ssh_user_certificates',
        { ...certificate, description: 'x'.repeat(256) },
        goOn(refused('ssh_user_description_too_long')),
      ),
      tryToMake(
        '/ssh_host_certificates',
        { ...certificate, ssh_certificate_authority_id: 'sshca_{new}' },
        goOn(refused('ssh_host_authority_missing')),
      ),
      tryToMake(
        '/ssh_user_certificates',
        { ...certificate, ssh_certificate_authority_id: 'sshca_{new}' },
        means('hosts: 1945, 1946, 1949; users: 1947, 1948, 1951', refused('ssh_user_authority_missing')),
      ),
    ],
    leavesOpen: '1946 and 1948, the metadata: it has the mark',
  },
  rate_limit: { because: 'It would take more requests than the service may allow, and production shares the limit.' },
  module_limits: { because: 'It stands for the limits of many modules, some of which would take a hundred records.' },
  edge_hostports: {
    steps: [
      tryToMake(
        '/edges/tls',
        { hostports: ['{run}.example.com:443'] },
        means('any', status(201)),
        means('reserved', refused('domain_not_reserved')),
        noEdges,
      ),
    ],
  },
  tls_edge_without_termination: { because: TRAFFIC },
  edges: {
    steps: [
      tryToMake(
        '/edges/tcp',
        {},
        means('available', status(201)),
        means('read_only', refused('edges_read_only')),
        means('gone', refused('edges_gone')),
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
