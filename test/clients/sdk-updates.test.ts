import { describe, expect, it } from 'vitest'
import type { SimulatorOptions } from '../../src/options/options.ts'
import { simulate } from '../support/in-process.ts'

type Kind = 'key' | 'policy' | 'rule' | 'restriction' | 'backend' | 'tcp edge' | 'https edge' | 'route'
type Records = Record<Kind | 'other policy' | 'other backend', { id: string; uri: string }>
type Client = 'Python' | 'Ruby' | 'Go' | 'all'
type Changed = Record<string, unknown>

/** Of an update in which a user of the client gives only that. `<NAME>` in the body is the id of a record. */
type Update = [
  client: Client,
  kind: Kind,
  given: string,
  body: string,
  changed: Changed | ((records: Records) => Changed),
  /** Also changed unless `--assume ngrok`. */
  plainly?: Changed,
]

const NEW = { description: 'new' }
const UNSET = { description: undefined, metadata: undefined }
const NO_POLICIES = { ip_policies: [] }
const ref = ({ id, uri }: { id: string; uri: string }) => ({ id, uri })
const otherPolicy = (records: Records) => ({ ip_policies: [ref(records['other policy'])] })
const otherBackend = (records: Records) => ({ backend: { enabled: true, backend: ref(records['other backend']) } })
const otherPolicyModule = (records: Records) => ({ ip_restriction: { enabled: true, ...otherPolicy(records) } })
const HEADERS = { request_headers: { enabled: true, add: { 'X-New': '1' }, remove: [] } }

/**
 * The bodies of Python 0.17 and Go v8, byte for byte. What they were not given they leave out, but for
 * - Python and Ruby: the address of a backend, the policies of a restriction, all four texts of a route. So an update of
 *   a route unsets its description and metadata unless it gives them: "" is how these are unset.
 * - Go: `tls` of a backend.
 */
const sent: Update[] = [
  ['all', 'key', 'the description', '{"description": "new"}', NEW],
  ['all', 'key', 'an empty description', '{"description": ""}', { description: undefined }],

  ['all', 'policy', 'the metadata', '{"metadata": "new"}', { metadata: 'new' }],

  ['all', 'rule', 'the description', '{"description": "new"}', NEW],
  ['all', 'rule', 'the CIDR', '{"cidr": "10.9.0.0/16"}', { cidr: '10.9.0.0/16' }],

  ['Python', 'restriction', 'the description', '{"description": "new", "ip_policy_ids": []}', NEW, NO_POLICIES],
  ['Go', 'restriction', 'the description', '{"description":"new"}', NEW],
  ['Python', 'restriction', 'enforced', '{"enforced": true, "ip_policy_ids": []}', { enforced: true }, NO_POLICIES],
  ['Go', 'restriction', 'enforced', '{"enforced":true}', { enforced: true }],
  ['all', 'restriction', 'the policies', '{"ip_policy_ids": ["<other policy>"]}', otherPolicy],

  ['Python', 'backend', 'the description', '{"description": "new", "address": ""}', NEW],
  ['Go', 'backend', 'the description', '{"description":"new","tls":{}}', NEW],
  ['Python', 'backend', 'the address', '{"address": "127.0.0.1:9"}', { address: '127.0.0.1:9' }],
  ['Go', 'backend', 'the address', '{"address":"127.0.0.1:9","tls":{}}', { address: '127.0.0.1:9' }],
  ['Python', 'backend', 'TLS', '{"address": "", "tls": {"enabled": false}}', { tls: { enabled: false } }],
  ['Go', 'backend', 'TLS that is not enabled, which it cannot say', '{"tls":{}}', {}],

  ['all', 'tcp edge', 'the description', '{"description": "new"}', NEW],
  [
    'all',
    'tcp edge',
    'the hostports',
    '{"hostports": ["1.tcp.ngrok.io:20001"]}',
    { hostports: ['1.tcp.ngrok.io:20001'] },
  ],
  ['all', 'tcp edge', 'the backend', '{"backend": {"backend_id": "<other backend>"}}', otherBackend],
  ['Go', 'tcp edge', 'the policies', '{"ip_restriction":{"ip_policy_ids":["<other policy>"]}}', otherPolicyModule],

  ['all', 'https edge', 'the metadata', '{"metadata": "new"}', { metadata: 'new' }],
  ['all', 'https edge', 'the hostports', '{"hostports": ["b.example.com:443"]}', { hostports: ['b.example.com:443'] }],

  [
    'Python',
    'route',
    'the description',
    '{"match_type": "", "match": "", "description": "new", "metadata": ""}',
    { ...UNSET, ...NEW },
  ],
  ['Go', 'route', 'the description', '{"description":"new"}', NEW],
  [
    'Python',
    'route',
    'the match',
    '{"match_type": "", "match": "/new", "description": "", "metadata": ""}',
    { ...UNSET, match: '/new' },
  ],
  ['Go', 'route', 'the match', '{"match":"/new"}', { match: '/new' }],
  [
    'Python',
    'route',
    'the match type',
    '{"match_type": "exact_path", "match": "", "description": "", "metadata": ""}',
    { ...UNSET, match_type: 'exact_path' },
  ],
  ['Go', 'route', 'the match type', '{"match_type":"exact_path"}', { match_type: 'exact_path' }],
  [
    'Python',
    'route',
    'the request headers',
    '{"match_type": "", "match": "", "description": "", "metadata": "", "request_headers": {"add": {"X-New": "1"}}}',
    { ...UNSET, ...HEADERS },
  ],
  ['Go', 'route', 'the request headers', '{"request_headers":{"add":{"X-New":"1"}}}', HEADERS],
]

/** Ruby 0.26 sends what Python does, without spaces, and so does Go where all send the same. */
const updates = sent.flatMap((update): Update[] => {
  const [client, kind, given, body, ...rest] = update
  if (client === 'Go') return [update]
  const dense = body.replace(/(?<=[:,]) /g, '')
  const others: Client[] = client === 'all' ? ['Ruby', 'Go'] : ['Ruby']
  return [['Python', kind, given, body, ...rest], ...others.map((each): Update => [each, kind, given, dense, ...rest])]
})

const texts = { description: 'before', metadata: 'kept' }

/** One record of each kind, with every field set. */
const FIXTURE = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_it', owner_id: 'usr_admin', token: 'sim_admin', ...texts }],
  ip_policies: [
    { id: 'ipp_it', ...texts, rules: [{ id: 'ipr_it', action: 'allow', cidr: '10.0.0.0/8', ...texts }] },
    { id: 'ipp_other', ...texts },
  ],
  ip_restrictions: [{ id: 'ipx_it', type: 'agent', ip_policy_ids: ['ipp_it'], ...texts }],
  backends: [
    { id: 'bkdsc_it', address: '127.0.0.1:8', tls: { enabled: true }, ...texts },
    { id: 'bkdsc_other', address: '127.0.0.1:7', ...texts },
  ],
  reserved_addrs: [{ id: 'ra_it', addr: '1.tcp.ngrok.io:20001' }],
  reserved_domains: [{ id: 'rd_it', domain: 'b.example.com' }],
  tcp_edges: [
    {
      id: 'edgtcp_it',
      hostports: ['a.test:20000'],
      backend: { backend_id: 'bkdsc_it' },
      ip_restriction: { ip_policy_ids: ['ipp_it'] },
      ...texts,
    },
  ],
  https_edges: [
    {
      id: 'edghts_it',
      hostports: ['a.test:443'],
      ...texts,
      routes: [
        {
          id: 'edghtsrt_it',
          match_type: 'path_prefix',
          match: '/old',
          backend: { backend_id: 'bkdsc_it' },
          request_headers: { add: { 'X-Old': '1' }, remove: ['cookie'] },
          ...texts,
        },
      ],
    },
  ],
} as const

const PATHS: Record<keyof Records, string> = {
  key: '/api_keys/ak_it',
  policy: '/ip_policies/ipp_it',
  'other policy': '/ip_policies/ipp_other',
  rule: '/ip_policy_rules/ipr_it',
  restriction: '/ip_restrictions/ipx_it',
  backend: '/backends/static/bkdsc_it',
  'other backend': '/backends/static/bkdsc_other',
  'tcp edge': '/edges/tcp/edgtcp_it',
  'https edge': '/edges/https/edghts_it',
  route: '/edges/https/edghts_it/routes/edghtsrt_it',
}

const recordsAt = (url: string) =>
  Object.fromEntries(
    Object.entries(PATHS).map(([kind, path]) => [kind, { id: path.split('/').at(-1)!, uri: url + path }]),
  ) as Records

describe.each<[how: string, options: SimulatorOptions]>([
  ['by default', {}],
  ['with --assume ngrok', { assume: 'ngrok' }],
])('An update as an SDK sends it (%s)', async (_, options) => {
  const { as, url, token } = await simulate({ vendor: 'ngrok', fixture: FIXTURE, ...options })
  const records = recordsAt(url)
  let sandboxes = 0

  it.each(
    updates,
  )('changes what it says and keeps the rest: %s, %s, %s: %s', async (_client, kind, _given, body, changed, plainly) => {
    const send = as(`${token}~update-${sandboxes++}`)
    const path = PATHS[kind]
    const before = (await send('GET', path)).body
    const raw = body.replace(/<(.+?)>/, (_all, other: Kind) => records[other].id)
    const answer = await send('PATCH', path, undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: {
        ...before,
        ...(typeof changed === 'function' ? changed(records) : changed),
        ...(!options.assume && plainly),
      },
    })
    expect((await send('GET', path)).body).toEqual(answer.body)
  })
})
