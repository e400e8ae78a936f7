import { issueForRequest } from '../../certificates/issue.ts'
import { readCertificate } from '../../certificates/pem.ts'
import { requestPem } from '../../certificates/shapes.ts'
import { vendorHosts } from '../../contract/names.ts'
import {
  changedAt,
  choice,
  collection,
  createdBy,
  derived,
  described,
  group,
  listOf,
  objectOf,
  parseTime,
  type Row,
  textShape,
  value,
} from '../../schema/index.ts'
import { OWNERS } from '../users/user.ts'

/** How long after an operator is created its endpoints are reachable. */
const REACHABLE_AFTER = 3_000

const FEATURES = ['bindings', 'ingress', 'gateway']

/** Requests may write them in any case; answers have lower case. */
const feature = textShape({ examples: FEATURES }, given =>
  FEATURES.includes(given.toLowerCase())
    ? undefined
    : { error: 'bad_operator', expected: `one of ${FEATURES.join(', ')}` },
)
const lowered = (features: unknown) => (features as string[]).map(each => each.toLowerCase())

const TIME = textShape({ format: 'date-time' })
const CERT = objectOf({
  cert: { shape: textShape(), required: true },
  not_before: { shape: TIME, required: true },
  not_after: { shape: TIME, required: true },
})
const NEVER = '0001-01-01T00:00:00Z'

/** The certificate that was asked for with a signing request. It is issued again when the record changes. */
function certificateFor(csr: unknown, { id, updated_at: at }: Row) {
  if (csr === undefined) return { cert: '', not_before: NEVER, not_after: NEVER }
  const cert = issueForRequest(csr as string, { id, at: at as string })
  const { not_before, not_after } = readCertificate(cert)
  return { cert, not_before, not_after }
}

const name = value(textShape(), { default: '', content: 'name' })

/** A cluster whose operator uses this account. docs/api.md 10.19. */
export const kubernetesOperators = collection({
  name: 'kubernetes_operator',
  table: 'kubernetes_operators',
  label: 'Kubernetes operator',
  path: '/kubernetes_operators',
  prefix: 'k8sop',
  section: '10.19',
  listAs: 'operators',
  neighbour: true,
  fields: {
    ...described(),
    enabled_features: value(listOf(feature), { default: [], content: 'plain' }),
    region: value(textShape(), { default: 'global', content: 'plain' }),
    deployment: group(
      {
        name,
        namespace: { ...name, createOnly: true },
        version: { ...name, content: 'plain' },
        cluster_name: { ...name, createOnly: true },
      },
      { default: {}, merged: true },
    ),
    binding: group(
      {
        endpoint_selectors: value(listOf(textShape({ examples: ['true'] })), { unset: 'null', content: 'text' }),
        ingress_endpoint: value(textShape(), { omittedWhenEmpty: true, content: 'host' }),
        csr: value(requestPem, { notShown: true, content: 'certificate' }),
        cert: derived(({ csr }, row) => certificateFor(csr, row), { shape: CERT }),
      },
      { default: {}, merged: true },
    ),
    principal: createdBy({ ref: OWNERS }),
    updated_at: changedAt(),
  },
  lists: {
    bound_endpoints: {
      id: 'list_bound_endpoints',
      table: 'endpoints',
      rows: (_, { where }) => where('bindings', 'kubernetes', 'endpoints'),
      selectors: {
        field: 'binding.endpoint_selectors',
        of: ({ binding }) => (binding as { endpoint_selectors?: string[] }).endpoint_selectors ?? [],
        as: 'endpoint',
        error: 'bad_selector',
      },
    },
  },
  // The vendor's published answers have no ingress endpoint right after a create, and have one later.
  stored: { ingress: choice(['pending'], { error: 'invalid_value' }) },
  due: {
    field: 'ingress',
    value: 'pending',
    applyDueChanges(row, { now, vendor }) {
      if (now() < parseTime(row.created_at as string)! + REACHABLE_AFTER) return row
      const { ingress: _done, ...rest } = row
      const ingress_endpoint = `${vendorHosts(vendor).ingress}:443`
      return { ...rest, binding: { ingress_endpoint, ...(row.binding as object) } } as Row
    },
  },
  onCreate({ enabled_features = [], binding }) {
    const features = lowered(enabled_features)
    return { row: { enabled_features: features, ...ingressFor(features, binding as Binding) } }
  },
  onUpdate(given, _context, before) {
    if (!given.enabled_features) return given
    const features = lowered(given.enabled_features)
    const binding = { ...(before.binding as object), ...(given.binding as object) }
    return { ...given, enabled_features: features, ingress: null, ...ingressFor(features, binding) }
  },
})

type Binding = { ingress_endpoint?: string }

/** Only what binds endpoints gets an address for them, unless a request gave one. */
const ingressFor = (features: string[], binding: Binding = {}) =>
  features.includes('bindings') && !binding.ingress_endpoint ? { ingress: 'pending' } : {}
