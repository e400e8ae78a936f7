import type { Row, RuleContext } from '../../../engine/language/index.ts'
import { errors } from '../../errors.ts'
import { questions } from '../../questions.ts'
import { coveringNames, domainName } from '../domains/domain-name.ts'
import { hostportOf, partsOf } from './endpoint-url.ts'

export const BINDINGS = ['public', 'internal', 'kubernetes']

const PUBLIC_PORTS: Record<string, number> = { http: 80, https: 443, tls: 443 }

/** The fields of an endpoint that its checks read. */
export interface Endpoint extends Row {
  url: string
  type: string
  bindings: string[]
  pooling_enabled?: boolean
}

/** Checks a cloud endpoint. Reserves its domain under `endpoint_domain=reserve`. */
export function checkEndpoint(row: Endpoint, before: Endpoint | undefined, context: RuleContext) {
  checkScheme(row, before, context)
  for (const binding of row.bindings) checkBinding(row.url, binding, context)
  if (row.url !== before?.url || row.pooling_enabled !== before?.pooling_enabled) checkOthers(row, before, context)
  const isPublic = ({ bindings }: Endpoint) => bindings.includes('public')
  if (isPublic(row) && (row.url !== before?.url || !isPublic(before!))) checkReserved(row.url, context)
}

function checkScheme({ url }: Endpoint, before: Endpoint | undefined, { fail }: RuleContext) {
  if (!before) return
  const [from, to] = [partsOf(before.url).scheme, partsOf(url).scheme]
  if (from !== to) fail(errors.endpoint_scheme_changed, { id: before.id, field: 'url', from, to })
}

function checkBinding(url: string, binding: string, { fail }: RuleContext) {
  const { scheme, host, port } = partsOf(url)
  const received = JSON.stringify(url)
  if (binding === 'internal' && !host.endsWith('.internal')) fail(errors.endpoint_not_internal, { field: 'url', host })
  if (binding === 'kubernetes' && scheme === 'https')
    fail(errors.endpoint_in_kubernetes, {
      field: 'url',
      expected: 'a URL with http, tls or tcp, for kubernetes',
      received,
    })
  if (binding === 'kubernetes' && !/^[^.*]+\.[^.*]+$/.test(host))
    fail(errors.endpoint_host, { field: 'url', expected: 'a URL with a host of two parts, for kubernetes', received })
  const wanted = PUBLIC_PORTS[scheme]
  if (binding === 'public' && wanted !== undefined && port !== wanted)
    fail(errors.endpoint_public_port, { field: 'url', expected: `a URL with port ${wanted} for ${scheme}`, received })
  if (binding === 'public' && host.endsWith('.internal'))
    fail(errors.endpoint_binding, {
      field: 'bindings',
      expected: '["internal"] for a host that ends in .internal',
      received: '"public"',
    })
}

/** Endpoints can share a URL if all of them enable pooling. */
function checkOthers(row: Endpoint, before: Endpoint | undefined, { tables, fail }: RuleContext) {
  const other = tables.where('endpoints', 'url', row.url).find(({ id }) => id !== before?.id)
  if (!other) return
  const facts = { field: 'url', url: row.url, existing: other.id }
  if (row.pooling_enabled && !other.pooling_enabled) fail(errors.endpoint_does_not_pool, facts)
  if (row.pooling_enabled) return
  fail(other.type === 'cloud' && !other.pooling_enabled ? errors.endpoint_taken : errors.endpoint_must_pool, facts)
}

function checkReserved(url: string, { tables, fail, assume, createAlso }: RuleContext) {
  const { scheme, host } = partsOf(url)
  const isTcp = scheme === 'tcp'
  const isReserved = isTcp
    ? tables.where('reserved_addrs', 'addr', hostportOf(url)).length > 0
    : coveringNames(host).some(name => tables.where('reserved_domains', 'domain', name).length > 0)
  if (isReserved) return
  const instead = isTcp
    ? 'Reserve an address with POST /reserved_addrs, and use its "addr".'
    : `Reserve ${host} with POST /reserved_domains. To reserve it with the endpoint: --assume endpoint_domain=reserve.`
  if (isTcp || assume(questions.endpoint_domain) === 'reject')
    fail(errors.endpoint_not_reserved, { field: 'url', url, instead })
  const problem = domainName.find(host)?.[0]
  if (problem)
    fail(errors.endpoint_host, { field: 'url', expected: `a URL with ${problem.expected}`, received: `"${url}"` })
  createAlso('reserved_domains', { domain: host })
}
