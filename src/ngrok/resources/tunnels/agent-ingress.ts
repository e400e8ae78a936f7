import {
  collection,
  derived,
  type Given,
  generated,
  group,
  listOf,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { vendorHosts } from '../../vendor.ts'
import { isVendors, plainName } from '../domains/domain-name.ts'
import {
  isSamePolicy,
  managementPolicy,
  managementStatus,
  provision,
  provisioning,
  restarted,
  started,
} from '../domains/managed-certificate.ts'
import { described } from '../texts.ts'

const names = { shape: listOf(textShape()), content: 'host' } as const

export const agentIngresses = collection({
  name: 'agent_ingress',
  table: 'agent_ingresses',
  label: 'agent ingress',
  path: '/agent_ingresses',
  prefix: 'agin',
  section: '10.20',
  listAs: 'ingresses',
  filterable: ['id', 'created_at', 'description', 'metadata', 'domain'],
  withoutUri: true,
  fields: {
    // Recorded: a path without a host.
    uri: derived((_, { id }) => `/agent_ingresses/${id}`, { describe: 'Path without a host' }),
    ...described({ description: errors.ingress_description_too_long, metadata: errors.ingress_metadata_too_long }),
    domain: value(plainName(errors.bad_ingress_domain), {
      required: errors.bad_ingress_domain,
      createOnly: true,
      normalise: name => name.toLowerCase(),
      content: 'host',
      describe: 'Host name without a wildcard, stored in lower case',
    }),
    ns_targets: generated(({ vendor }) => [1, 2, 3, 4].map(i => `${i}.ns.${vendorHosts(vendor).suffixes[0]}.`), {
      ...names,
      describe: 'Name servers to delegate the domain to',
    }),
    region_domains: generated(
      ({ given }: Given<{ domain: string }>) => [`tunnel.us.${given.domain.toLowerCase()}`],
      names,
    ),
    certificate_management_policy: group(managementPolicy('rsa'), { describe: 'Requests a managed certificate' }),
    certificate_management_status: managementStatus(),
  },
  stored: provisioning,
  unique: { field: 'domain', among: ['agent_ingresses'], error: errors.ingress_domain_taken },
  due: { field: 'provisioning', value: 'pending', applyDueChanges: (row, context) => provision(row, context) },
  onCreate: ({ certificate_management_policy: policy }, { now }) => ({ row: policy ? started(now()) : {} }),
  onUpdate(given, { now }, before) {
    const { certificate_management_policy: policy, ...rest } = given
    if (!policy) return given
    return isSamePolicy(policy, before) ? rest : { ...given, ...restarted(now()) }
  },
  check({ domain }, before, { fail, vendor }) {
    // The leading period also matches the vendor's domains themselves.
    if (!before && isVendors(`.${domain}`, vendor)) fail(errors.ingress_of_vendor, { field: 'domain', domain })
  },
})
