import {
  changedAt,
  choice,
  collection,
  derived,
  flag,
  generated,
  integer,
  type Look,
  listOf,
  type Row,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { coveringNames } from '../domains/domain-name.ts'
import { described } from '../texts.ts'
import { OWNERS } from '../users/user.ts'
import { BINDINGS, checkEndpoint, type Endpoint } from './check-endpoint.ts'
import { endpointUrl, hostOf, hostportOf, normaliseUrl, partsOf } from './endpoint-url.ts'

/** Agents create the other types, so only fixtures contain them. */
const TYPES = ['cloud', 'agent', 'ephemeral', 'edge'] as const

const binding = textShape({ enum: [...BINDINGS] }, given =>
  BINDINGS.includes(given) ? undefined : { error: errors.endpoint_binding, expected: `one of ${BINDINGS.join(', ')}` },
)

/** Only for agent endpoints, from a fixture. */
const ofAgents = (options: Parameters<typeof generated>[1] = {}) =>
  generated(() => undefined, { unset: 'omit', describe: 'Only for agent endpoints', ...options })
const fromUrl = (derive: (url: string) => unknown, options: Parameters<typeof derived>[1] = {}) =>
  derived(({ url }: Endpoint) => derive(url), options)
const fromUrlOfAgent = (derive: (url: string) => unknown, options: Parameters<typeof derived>[1] = {}) =>
  derived(({ url, type }: Endpoint) => (type === 'cloud' ? undefined : derive(url)), {
    unset: 'omit',
    describe: 'Only for agent endpoints',
    ...options,
  })

/** A reference computed from the URL or from other records. */
const found = (table: string, describe: string, find: (row: Endpoint, look: Look) => Row | undefined) =>
  derived((_values, row, look) => find(row as Endpoint, look)?.id, {
    refersTo: { tables: [table], missing: errors.bad_reference, unchecked: true },
    unset: 'omit',
    dependsOnOthers: true,
    describe,
  })

export const endpoints = collection({
  name: 'endpoint',
  table: 'endpoints',
  label: 'endpoint',
  path: '/endpoints',
  prefix: 'ep',
  section: '10.15',
  listAs: 'endpoints',
  filterable: [
    'id',
    'created_at',
    'description',
    'metadata',
    'principal.id',
    'type',
    'bindings',
    'url',
    'pooling_enabled',
    'scheme',
    'region',
    'name',
  ],
  // The parameter names of older and current API references.
  picks: { ids: 'id', urls: 'url', id: 'id', url: 'url' },
  fields: {
    ...described({ description: errors.endpoint_description_too_long, metadata: errors.endpoint_metadata_too_long }),
    url: value(endpointUrl, {
      required: errors.endpoint_field_missing,
      normalise: normaliseUrl,
      content: 'host',
      describe: 'URL with http, https, tcp or tls, without a path (stored in lower case, without the default port)',
    }),
    type: choice(TYPES, {
      error: errors.endpoint_type,
      default: 'cloud',
      createOnly: true,
      describe: 'Always cloud in requests',
    }),
    traffic_policy: value(textShape({ examples: ['{"on_http_request":[]}'], 'x-lines': true }), {
      required: errors.endpoint_field_missing,
      optionalInFixtures: true,
      unset: 'omit',
      document: errors.endpoint_traffic_policy,
      content: 'text',
      describe: 'JSON or YAML object as a string, without effect',
    }),
    bindings: value(listOf(binding), { default: ['public'] }),
    pooling_enabled: flag({ default: false, describe: 'Share the URL with other endpoints that pool' }),
    updated_at: changedAt(),
    public_url: fromUrl(url => url),
    proto: fromUrl(url => partsOf(url).scheme),
    hostport: fromUrl(hostportOf, { describe: 'Always with a port' }),
    domain: found('reserved_domains', 'Reserved domain of the URL', ({ url }, { tables }) => {
      for (const name of coveringNames(hostOf(url))) {
        const [domain] = tables.where('reserved_domains', 'domain', name)
        if (domain) return domain
      }
      return undefined
    }),
    tcp_addr: found('reserved_addrs', 'Reserved address of the URL', ({ url }, { tables }) =>
      partsOf(url).scheme === 'tcp' ? tables.where('reserved_addrs', 'addr', hostportOf(url))[0] : undefined,
    ),
    name: ofAgents({ content: 'name' }),
    region: ofAgents({ content: 'plain' }),
    principal: ofAgents({ refersTo: { tables: OWNERS, missing: errors.bad_reference, unchecked: true } }),
    tunnel_session_id: ofAgents({
      refersTo: { tables: ['tunnel_sessions'], missing: errors.bad_reference, whenDeleted: 'delete' },
      shownAs: 'tunnel_session',
    }),
    tunnel: found(
      'tunnels',
      'Only for agent endpoints',
      ({ id }, { tables }) => tables.where('tunnels', 'endpoint_id', id)[0],
    ),
    edge: ofAgents({
      refersTo: { tables: ['tcp_edges', 'tls_edges', 'https_edges'], missing: errors.bad_reference, unchecked: true },
    }),
    upstream_url: ofAgents({ content: 'url' }),
    upstream_protocol: ofAgents({ content: 'plain' }),
    scheme: fromUrlOfAgent(url => partsOf(url).scheme),
    host: fromUrlOfAgent(hostOf),
    port: fromUrlOfAgent(url => partsOf(url).port, { shape: integer({ minimum: 1, maximum: 65535 }) }),
  },
  indexes: ['bindings'],
  errors: { noValues: errors.endpoint_update_empty },
  onCreate(given, context, id) {
    const { type = 'cloud' } = given
    if (type !== 'cloud')
      context.fail(errors.endpoint_type, { field: 'type', expected: '"cloud"', received: JSON.stringify(type) })
    const bindings = given.bindings?.length ? given.bindings : ['public']
    checkEndpoint({ pooling_enabled: false, ...given, id, type, url: given.url!, bindings }, undefined, context)
    return { row: { bindings } }
  },
  onUpdate({ bindings = [], ...given }, context, before) {
    if (before.type !== 'cloud') context.fail(errors.endpoint_of_agent, { id: before.id, type: before.type })
    // Some clients send an empty list for an unset field.
    if (bindings.length === 0) bindings = before.bindings
    checkEndpoint({ ...before, ...given, bindings }, before, context)
    return { ...given, bindings }
  },
  checkDelete({ id, type }, { fail }) {
    if (type !== 'cloud') fail(errors.endpoint_of_agent, { id, type })
  },
})
