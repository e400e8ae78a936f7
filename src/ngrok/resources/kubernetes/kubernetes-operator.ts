import {
  changedAt,
  choice,
  collection,
  createdBy,
  derived,
  group,
  listOf,
  objectOf,
  parseTime,
  type Row,
  type RuleContext,
  textShape,
  value,
} from '../../../engine/language/index.ts'
import { issueForRequest } from '../../certificates/issue.ts'
import { readCertificate } from '../../certificates/pem.ts'
import { requestPem } from '../../certificates/shapes.ts'
import { errors } from '../../errors.ts'
import { selectedBy } from '../../filters/selectors.ts'
import { vendorHosts } from '../../vendor.ts'
import { endpoints } from '../endpoints/endpoint.ts'
import { described } from '../texts.ts'
import { OWNERS } from '../users/user.ts'

/** Delay in milliseconds until an operator has an ingress endpoint. */
const REACHABLE_AFTER = 3_000

const FEATURES = ['bindings', 'ingress', 'gateway']

/** Case-insensitive in requests, lower case in responses. */
const feature = textShape({ examples: FEATURES }, given =>
  FEATURES.includes(given.toLowerCase())
    ? undefined
    : { error: errors.bad_operator, expected: `one of ${FEATURES.join(', ')}` },
)
const lowered = (features: readonly string[]) => features.map(each => each.toLowerCase())

const TIME = textShape({ format: 'date-time' })
const CERT = objectOf({
  cert: { shape: textShape(), required: true },
  not_before: { shape: TIME, required: true },
  not_after: { shape: TIME, required: true },
})
const NEVER = '0001-01-01T00:00:00Z'

/** The certificate for the signing request. Every change of the record issues a new one. */
function certificateFor(csr: string | undefined, { id, updated_at: at }: Row) {
  if (csr === undefined) return { cert: '', not_before: NEVER, not_after: NEVER }
  const cert = issueForRequest(csr, { id, at: String(at) })
  const { not_before, not_after } = readCertificate(cert)
  return { cert, not_before, not_after }
}

const name = value(textShape(), { default: '', content: 'name' })

export const kubernetesOperators = collection({
  name: 'kubernetes_operator',
  table: 'kubernetes_operators',
  label: 'Kubernetes operator',
  path: '/kubernetes_operators',
  prefix: 'k8sop',
  section: '10.19',
  listAs: 'operators',
  fields: {
    ...described(),
    enabled_features: value(listOf(feature), {
      default: [],
      content: 'plain',
      describe: 'Any of bindings, ingress and gateway (case-insensitive)',
    }),
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
        endpoint_selectors: value(listOf(textShape({ examples: ['true'] })), {
          unset: 'null',
          content: 'text',
          describe: 'Filters over endpoint',
        }),
        ingress_endpoint: value(textShape(), { omittedWhenEmpty: true, content: 'host' }),
        csr: value(requestPem, { notShown: true, content: 'certificate', describe: 'Signing request in PEM' }),
        cert: derived(({ csr }: { csr?: string }, row) => certificateFor(csr, row), {
          shape: CERT,
          describe: 'Certificate for csr (empty without csr)',
        }),
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
      rows: (operator, context) =>
        boundTo(operator, context.tables.where('endpoints', 'bindings', 'kubernetes'), context),
    },
  },
  // Recorded: the ingress endpoint is missing right after create, and set later.
  stored: { ingress: choice(['pending'], { error: errors.invalid_value }) },
  due: {
    field: 'ingress',
    value: 'pending',
    applyDueChanges(row, { now, vendor }) {
      if (now() < parseTime(row.created_at!)! + REACHABLE_AFTER) return row
      const { ingress: _done, ...rest } = row
      const ingress_endpoint = row.binding.ingress_endpoint ?? `${vendorHosts(vendor).ingress}:443`
      return { ...rest, binding: { ...row.binding, ingress_endpoint } } as Row
    },
  },
  check(operator, _before, context) {
    boundTo(operator, [], context)
  },
  onCreate({ enabled_features = [], binding }) {
    const features = lowered(enabled_features)
    return { row: { enabled_features: features, ...ingressFor(features, binding) } }
  },
  onUpdate(given, _context, before) {
    if (!given.enabled_features) return given
    const features = lowered(given.enabled_features)
    const binding = { ...before.binding, ...given.binding }
    return { ...given, enabled_features: features, ingress: null, ...ingressFor(features, binding) }
  },
})

type Binding = { ingress_endpoint?: string; endpoint_selectors?: string[] }

/** The endpoints that the operator's selectors match. Fails if one is invalid. */
function boundTo({ binding }: Row, rows: Row[], context: RuleContext): Row[] {
  const { endpoint_selectors: selectors = [] } = binding as Binding
  return selectedBy(selectors, { field: 'binding.endpoint_selectors', as: 'endpoint', kind: endpoints }, rows, context)
}

/** An operator with bindings gets an address, unless a request set one. */
const ingressFor = (features: string[], binding: Binding = {}) =>
  features.includes('bindings') && !binding.ingress_endpoint ? { ingress: 'pending' } : {}
