import type { Collection, Field, Fields } from '../../../src/engine/language/index.ts'
import { certifiedKey } from '../../../src/ngrok/certificates/ssh/public-key.ts'
import { kindOf, kinds, partsOf } from '../../../src/ngrok/resources/index.ts'
import { exampleOf } from '../../contract/record/world.ts'

export const NOW = '2026-01-03T12:00:00Z'

/** SECRET must never be in a file, TEXT only with --keep-texts. */
export const SECRET = 'PLANTED-SECRET'
export const TEXT = 'PLANTED-TEXT'

type Json = Record<string, unknown>
interface JsonShape {
  type?: string
  enum?: unknown[]
  examples?: string[]
  items?: object
  format?: string
  minimum?: number
}

const at = (day: number, second = 0) =>
  `2026-01-${String(day).padStart(2, '0')}T09:00:${String(second).padStart(2, '0')}Z`

/** Fields without a list, or that no response contains. */
const NOT_LISTED =
  /^(abuse_reports\.|users\.|[a-z_]+\.(listen|upstream|token_sha256)$|kubernetes_operators\.binding\.csr)/

/** Secrets and non-identifying values, by name because declarations may be wrong. */
const SECRETS = /^(.+_secret|secret|aws_.+|api_key|token|value)$/
const PLAIN = /^(region|version|upstream_protocol|device_type|(browser|os)_\w+)$/

const hostport = '7.tcp.eu.service.example:20077'
const headers = { 'X-Acme': `${TEXT}-header` }
const traffic_policy = `{"inbound":[{"name":"${TEXT}"}]}`
const certificate_management_policy = { authority: 'letsencrypt', private_key_type: 'rsa' }
const pending = { certificate_management_policy, provisioning: 'pending' }
const failed = {
  ...pending,
  provisioning_started_at: '2026-01-03T11:00:00Z',
  provisioning_retries_at: '2026-01-03T12:30:00Z',
}
const done = { certificate_management_policy, renews_at: '2026-03-01T00:00:00Z' }
const notProvisioned = Object.fromEntries([...Object.keys(failed), 'renews_at'].map(name => [name, undefined]))

/** Field values by name or path, where the declaration is not enough. */
const VALUES: Json = {
  description: `${TEXT}-description`,
  metadata: `${TEXT}-metadata`,
  ip: '198.18.7.7',
  ip_address: '198.18.7.8',
  acl: ['bind:*.acme.dev', 'bind:tcp:acme.example.com:443', '*'],
  hostports: [hostport],
  public_url: `tcp://${hostport}`,
  headers,
  add: headers,
  body: `${TEXT}-body`,
  endpoint_selectors: [`"${TEXT}" == "x"`, 'true'],
  idp_metadata: `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://${TEXT}.dev"/>`,
  forwards_to: 'billing: db1.prod.acme.internal',
  os: 'acme-linux',
  agent_version: '3.0 by acme',
  transport: 'acme/2',
  browser_name: 'acme-browser',
  cookie_prefix: 'acme',
  route_id: 'edghtsrt_acme',
  idp_metadata_url: 'https://id.acme.dev/acme/metadata',
  error_threshold_percentage: 0.25,
  latitude: 47.3,
  valid_until: '2026-02-01T00:00:00Z',
  'reserved_domains.resolves_to.value': '198.18.7.9:443',
  'endpoints.traffic_policy': traffic_policy,
  'tcp_edges.traffic_policy.value': traffic_policy,
  'tls_edges.traffic_policy.value': traffic_policy,
  'https_edge_routes.traffic_policy.value': traffic_policy,
  'https_edge_routes.match': (turn: number) => `/acme/${turn}`,
  'application_users.identity_provider.name': 'acme-login',
  'https_edge_routes.webhook_verification.provider': 'github',
}

/** Specific values. The first record of each kind gets every field, the others only these. */
const OWN: Record<string, Json[]> = {
  users: [{ id: 'usr_annacme', name: 'Ann', admin: true }, { id: 'usr_bobacme' }],
  bots: [
    { id: 'bot_ciacme', active: true },
    { id: 'bot_idle', name: 'idle-acme', active: false },
  ],
  service_users: [{ id: 'service_ciacme', active: true }],
  api_keys: [
    { id: 'ak_annacme', token: `${SECRET}-account` },
    { id: 'ak_bobacme', owner_id: 'usr_bobacme', token: `${SECRET}-bob` },
    { id: 'ak_ciacme', created_at: at(2), owner_id: 'bot_ciacme', token: `${SECRET}-ci` },
    ...Array.from({ length: 120 }, (_, i) => ({
      id: `ak_many${i}`,
      created_at: at(3, i % 7),
      owner_id: 'service_ciacme',
    })),
  ],
  // Rules and routes are nested in their records.
  ip_policies: [
    { id: 'ipp_office' },
    { id: 'ipp_lab', created_at: at(2), rules: [{ id: 'ipr_c', action: 'allow', cidr: '10.20.30.40/32' }] },
    { id: 'ipp_empty', created_at: at(2), rules: [] },
  ],
  ip_policy_rules: [
    { id: 'ipr_a', action: 'allow', cidr: '10.20.0.0/16' },
    { id: 'ipr_b', action: 'deny', cidr: '2400:cb00::/48' },
    { id: 'ipr_all', action: 'allow', cidr: '0.0.0.0/0' },
  ],
  ip_restrictions: [{ enforced: false, ip_policy_ids: ['ipp_office', 'ipp_lab'] }],
  reserved_domains: [
    { ...notProvisioned, domain: '*.acme.dev' },
    { id: 'rd_own', domain: 'acme.service.example' },
    { id: 'rd_job', domain: 'job.acme.dev', ...pending, provisioning_started_at: '2026-01-03T11:59:50Z' },
    { id: 'rd_failed', domain: 'failed.acme.dev', ...failed },
    { id: 'rd_done', domain: 'done.acme.dev', ...done, certificate_id: 'cert_acme' },
  ],
  reserved_addrs: [
    { region: 'eu', addr: hostport },
    { id: 'ra_b', created_at: at(2) },
  ],
  ssh_certificate_authorities: [
    { private_key_type: 'ed25519', elliptic_curve: undefined, key_size: undefined },
    { id: 'sshca_ec', private_key_type: 'ecdsa', elliptic_curve: 'p384' },
    { id: 'sshca_rsa', private_key_type: 'rsa', key_size: 4096 },
  ],
  ssh_user_certificates: [
    {},
    { id: 'sucrt_new', ssh_certificate_authority_id: 'sshca_rsa', public_key: exampleOf(certifiedKey) },
  ],
  endpoints: [
    {
      created_at: at(2),
      url: `tcp://${hostport}`,
      type: 'agent',
      upstream_url: `http://login:${SECRET}-login@app.acme.dev:8080/api?key=${TEXT}-query`,
    },
    { id: 'ep_cloud', url: 'https://app.acme.dev', type: 'cloud', bindings: ['public', 'kubernetes'] },
  ],
  tunnel_sessions: [{}, { id: 'ts_old' }, { id: 'ts_other', created_at: at(2) }],
  agent_ingresses: [
    { ...failed, renews_at: undefined },
    { id: 'agin_done', domain: 'done.acme.dev', ...done },
  ],
  failover_backends: [{ backends: ['bkdsc_acme', 'bkdwd_acme'] }],
  tcp_edges: [{ ip_restriction: { ip_policy_ids: ['ipp_office', 'ipp_gone'] } }, { id: 'edgtcp_bare' }],
  tls_edges: [{ hostports: ['mail.acme.dev:443'] }],
  https_edges: [{ hostports: ['app.acme.dev:443'] }, { id: 'edghts_other', routes: [{ id: 'edghtsrt_other' }] }],
  https_edge_routes: [{ created_at: at(2), ip_restriction: { ip_policy_ids: ['ipp_gone'] } }],
  event_subscriptions: [{ destination_ids: ['ed_acme', 'ed_acme4'] }],
}

const idOf = (table: string) => OWN[table]?.[0]?.id ?? `${kindOf(table).prefix}_acme`

/** A non-default value with every field. The options of a one-of field take turns. */
function sampleOf(path: string, { shape, group, oneOf, refersTo, ...field }: Field, turn: number): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const value = VALUES[path] ?? VALUES[name]
  if (value !== undefined) return typeof value === 'function' ? value(turn) : value
  const { type, enum: words, examples = [], items, format, minimum = 0 } = shape.json as JsonShape
  if (group) {
    const members = Object.entries(group)
    const values = samplesOf(path, Object.fromEntries(oneOf ? [members[turn % members.length]!] : members), turn)
    return type === 'array' ? [values] : values
  }
  if (refersTo) {
    const id = refersTo.tables.length > 0 ? idOf(refersTo.tables[0]!) : `ec_${name}`
    return type === 'array' ? [id] : type === 'object' ? { [`${id}`]: 3 } : id
  }
  if (type === 'array') return [sampleOf(path, { shape: { ...shape, json: { ...items } } }, turn)]
  if (type === 'object') return { acme: 'acme' }
  if (type === 'boolean') return !field.default
  if (words) return words.at(-1)
  if (type !== 'string') return minimum + 1
  if (format === 'date-time') return at(2)
  if (SECRETS.test(name)) return `${SECRET}-${name.replaceAll('_', '-')}`
  if (PLAIN.test(name)) return 'eu'
  return examples[0]?.replaceAll('example', 'acme').replaceAll('123456789012', '987654321098') ?? `acme-${name}`
}

function samplesOf(path: string, fields: Fields, turn: number): Json {
  const given = Object.entries(fields).filter(([name, field]) => !field.derived && !NOT_LISTED.test(`${path}.${name}`))
  return Object.fromEntries(given.map(([name, field]) => [name, sampleOf(`${path}.${name}`, field, turn)]))
}

/** The number of records that covers the options of one-of fields, up to five. */
const turnsIn = (fields: Fields): number => {
  const turns = Object.values(fields).map(({ oneOf, group = {} }) =>
    oneOf ? Object.keys(group).length : turnsIn(group),
  )
  return Math.min(5, Math.max(1, ...turns))
}

function recordsOf({ table, prefix, fields, stored, partOf }: Collection): Json[] {
  const [first, ...others] = OWN[table] ?? [{}]
  const full = Array.from({ length: turnsIn(fields) }, (_, turn) => ({
    id: `${prefix}_acme${turn || ''}`,
    created_at: at(1),
    ...samplesOf(table, { ...fields, ...stored }, turn),
    ...(turn === 0 && first),
    ...(partOf && { [partOf.by]: undefined }),
  }))
  const [record, ...more] = [...full, ...others.map(each => ({ created_at: at(1), ...each }))]
  const parts = partsOf(table).map(part => [part.partOf!.list, recordsOf(part)])
  return [{ ...record, ...Object.fromEntries(parts) }, ...more]
}

/** An account that sets every listed field of every kind. */
export const account: Record<string, Json[]> & Json = JSON.parse(
  JSON.stringify({
    ...Object.fromEntries(
      (kinds as Collection[])
        .filter(({ table, partOf }) => !partOf && table !== 'abuse_reports')
        .map(kind => [kind.table, recordsOf(kind)]),
    ),
    missing: ['ipp_gone'],
    order: { https_edge_routes: ['edghtsrt_acme2', 'edghtsrt_acme', 'edghtsrt_acme1', 'edghtsrt_other'] },
  }),
)

export function unsetFields(): string[] {
  const set = new Set<Field>()
  const all = new Map<Field, string>()
  const visit = (fields: Fields, at: string, values: Json[]) => {
    for (const [name, field] of Object.entries(fields)) {
      if (field.derived || NOT_LISTED.test(`${at}.${name}`)) continue
      const given = values.flatMap(each => (each[name] === undefined ? [] : [each[name]].flat())) as Json[]
      if (field.group) visit(field.group, `${at}.${name}`, given)
      else if (given.length > 0) set.add(field)
      if (!field.group) all.set(field, `${at}.${name}`)
    }
  }
  for (const kind of kinds) {
    const { partOf, stored = {}, fields, table } = kind as Collection
    const parts =
      partOf &&
      account[partOf.table]!.flatMap(record =>
        ((record[partOf.list] ?? []) as Json[]).map(part => ({ ...part, [partOf.by]: record.id })),
      )
    visit({ ...fields, ...stored }, table, (parts ?? account[table] ?? []) as Json[])
  }
  return [...all].filter(([field]) => !set.has(field)).map(([, path]) => path)
}
