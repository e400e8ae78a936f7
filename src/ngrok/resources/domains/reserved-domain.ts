import { isIP } from 'node:net'
import {
  boolean,
  collection,
  derived,
  type Given,
  generated,
  group,
  groups,
  type Row,
  type RuleContext,
  reference,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { vendorHosts } from '../../vendor.ts'
import { addressParts } from '../edges/address.ts'
import { EDGES, hostOfHostport, hostportsOf } from '../edges/edge-hostports.ts'
import { hostOf } from '../endpoints/endpoint-url.ts'
import { described } from '../texts.ts'
import { coveringNames, domainName, isVendors, isWildcard } from './domain-name.ts'
import {
  isSamePolicy,
  managementPolicy,
  managementStatus,
  provisioning,
  provisionRecord,
  restarted,
  started,
  unmanaged,
} from './managed-certificate.ts'
import { outside } from './outside.ts'
import { REGIONS } from './reserved-addr.ts'

const drawName = (draw: (size: number) => string) => `${draw(17)}.${draw(16)}`.toLowerCase()

/** Accepted, but never shown: the vendor's domains are global. */
const region = textShape({ enum: ['', ...REGIONS], deprecated: true }, given =>
  ['', ...REGIONS].includes(given)
    ? undefined
    : { error: errors.bad_domain_region, expected: `one of ${REGIONS.join(', ')}, or empty` },
)

const POINTS_OF_PRESENCE = ['us', 'us-cal-1', 'eu', 'au', 'ap', 'jp', 'sa', 'in', 'global']

/** The DNS target: a point of presence, or an IP address. */
const resolverTarget = textShape({ examples: ['eu', 'global', '192.0.2.1:443'] }, given =>
  POINTS_OF_PRESENCE.includes(given) || isAddress(given)
    ? undefined
    : {
        error: errors.bad_resolver_target,
        expected: `one of ${POINTS_OF_PRESENCE.join(', ')}, or an IP address with or without a port`,
      },
)

function isAddress(given: string): boolean {
  const { host = '', port = 0 } = addressParts(given)
  return isIP(given) > 0 || (isIP(host) > 0 && port > 0 && port <= 65_535)
}

export const reservedDomains = collection({
  name: 'reserved_domain',
  table: 'reserved_domains',
  label: 'reserved domain',
  path: '/reserved_domains',
  prefix: 'rd',
  section: '10.12',
  listAs: 'reserved_domains',
  event: 'domain',
  filterable: [
    'id',
    'created_at',
    'description',
    'metadata',
    'domain',
    'region',
    'cname_target',
    'certificate.id',
    'acme_challenge_cname_target',
  ],
  fields: {
    ...described({ description: errors.domain_description_too_long, metadata: errors.domain_metadata_too_long }),
    domain: value(domainName, {
      required: errors.domain_not_qualified,
      createOnly: true,
      normalise: name => name.toLowerCase(),
      content: 'host',
      describe: 'Host name, or a wildcard such as *.example.com (stored in lower case)',
    }),
    region: value(region, {
      default: '',
      createOnly: true,
      normalise: () => '',
      describe: 'Accepted, but always shown as an empty string',
    }),
    certificate_id: reference(['tls_certificates'], {
      missing: errors.domain_certificate_missing,
      shownAs: 'certificate',
      describe: 'Uploaded certificate',
      whenDeleted: row => (row.certificate_management_policy ? errors.certificate_managed : errors.still_used),
    }),
    certificate_management_policy: group(managementPolicy('ecdsa'), { describe: 'Requests a managed certificate' }),
    certificate_management_status: managementStatus(),
    cname_target: generated(
      ({ given, vendor, draw }: Given<{ domain: string }>) =>
        isVendors(given.domain, vendor) ? undefined : `${drawName(draw)}.${vendorHosts(vendor).cname}`,
      { unset: 'null', content: 'host', describe: "Target for the domain's DNS record (not for vendor domains)" },
    ),
    acme_challenge_cname_target: generated(
      ({ given, vendor, draw }: Given<{ domain: string }>) =>
        isWildcard(given.domain) && !isVendors(given.domain, vendor)
          ? `${drawName(draw)}.${vendorHosts(vendor).cname}`
          : undefined,
      { unset: 'null', content: 'host', describe: 'Target for the ACME challenge record (wildcards only)' },
    ),
    http_endpoint_configuration_id: outside('/endpoint_configurations', 'http_endpoint_configuration'),
    https_endpoint_configuration_id: outside('/endpoint_configurations', 'https_endpoint_configuration'),
    resolves_to: groups(
      {
        value: value(resolverTarget, {
          required: errors.bad_resolver_target,
          content: 'address',
          describe: 'Point of presence such as eu or global, or an IP address with an optional port',
        }),
      },
      { unset: 'omit' },
    ),
    is_dev: derived(() => false, { shape: boolean, describe: 'Always false' }),
  },
  stored: provisioning,
  alwaysNull: ['error_redirect_url'],
  errors: { noValues: errors.domain_update_empty },
  unique: { field: 'domain', among: ['reserved_domains'], error: errors.domain_taken },
  due: { field: 'provisioning', value: 'pending', applyDueChanges: provisionRecord },
  actions: {
    certificate: {
      method: 'DELETE',
      id: 'delete_reserved_domain_certificate',
      label: 'Detach the certificate',
      act(row, context) {
        if (row.certificate_management_policy) context.fail(errors.certificate_detached_alone, { id: row.id })
        return without(row, ['certificate_id'], 'certificate', context)
      },
    },
    certificate_management_policy: {
      method: 'DELETE',
      id: 'delete_reserved_domain_certificate_management_policy',
      label: 'Stop managing the certificate',
      act: (row, context) => {
        const own = row.certificate_management_policy ? [...Object.keys(unmanaged), 'certificate_id'] : []
        return without(row, own, 'certificate management policy', context)
      },
    },
  },
  onCreate(given, { fail, now }) {
    if (!given.certificate_management_policy) return { row: {} }
    if (given.certificate_id !== undefined) fail(errors.certificate_and_policy, { field: 'certificate_id' })
    return { row: started(now()) }
  },
  onUpdate(given, { fail, now }, before) {
    const { certificate_id, certificate_management_policy: policy, ...rest } = given
    if (policy && certificate_id !== undefined) fail(errors.certificate_and_policy, { field: 'certificate_id' })
    if (policy && isSamePolicy(policy, before)) return rest
    if (policy) return { ...given, certificate_id: null, ...restarted(now()) }
    return certificate_id === undefined || !before.certificate_management_policy ? given : { ...given, ...unmanaged }
  },
  check(row, before, { fail, vendor }) {
    const domain = row.domain
    if (!before) checkOwner(domain, vendor, fail)
    if (!isVendors(domain, vendor)) return
    const owner = { id: row.id, domain, vendor }
    if (row.certificate_management_policy)
      fail(errors.policy_on_vendors, { field: 'certificate_management_policy', ...owner })
    if (row.certificate_id) fail(errors.certificate_on_vendors, { field: 'certificate_id', ...owner })
  },
  checkDelete(row, { tables, assume, fail }) {
    if (assume(questions.delete_referenced) === 'detach') return
    const domain = row.domain
    const isUsedBy = (host: string) => {
      const [own, wildcard] = coveringNames(host)
      return domain === own || (domain === wildcard && tables.where('reserved_domains', 'domain', host).length === 0)
    }
    const edges = EDGES.flatMap(table => [...tables.all(table)]).filter(each =>
      hostportsOf(each).map(hostOfHostport).some(isUsedBy),
    )
    const endpoints = [...tables.all('endpoints')].filter(
      each => each.type === 'cloud' && isUsedBy(hostOf(String(each.url))),
    )
    const users = [...edges, ...endpoints].map(({ id }) => id)
    if (users.length > 0)
      fail(errors.domain_used, {
        id: row.id,
        name: domain,
        users: users.slice(0, 5),
        more: Math.max(0, users.length - 5),
      })
  },
})

/** The vendor's domains cannot be reserved. */
function checkOwner(domain: string, vendor: string, fail: RuleContext['fail']) {
  const { suffixes } = vendorHosts(vendor)
  const suffix = suffixes.find(each => domain === each || domain === `*.${each}`)
  if (suffix === undefined) return
  const names = { field: 'domain', domain, suffix }
  if (isWildcard(domain)) fail(errors.wildcard_on_vendors, names)
  fail(errors.domain_of_others, names)
}

/** Removes these values. If none is set, `delete_absent_module` decides. */
function without(row: Row, names: string[], label: string, { assume, fail }: RuleContext): Row {
  if (names.some(name => row[name] !== undefined))
    return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))) as Row
  if (assume(questions.delete_absent_module) === 'not_found') fail(errors.module_not_set, { label, id: row.id })
  return row
}
