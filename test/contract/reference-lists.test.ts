import { expect, it } from 'vitest'
import { recordShapeOf } from '../../src/engine/fixtures/index.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { kinds } from '../../src/ngrok/resources/index.ts'
import type {
  EventSubscription,
  FailoverBackend,
  HttpsEdge,
  HttpsEdgeRoute,
  IpRestriction,
  TcpEdge,
  TlsEdge,
} from '../../src/ngrok/shapes.ts'

type Policies<T extends { ip_restriction?: { ip_policy_ids?: unknown } }> = NonNullable<
  T['ip_restriction']
>['ip_policy_ids']
type Authorities<T extends { mutual_tls?: { certificate_authority_ids?: unknown } }> = NonNullable<
  T['mutual_tls']
>['certificate_authority_ids']

/** Each list has an ID of every accepted kind. `npm run typecheck` rejects kinds that are not in the published types. */
const LISTS = {
  'ip_restrictions.ip_policy_ids': ['ipp_a'] satisfies IpRestriction['ip_policy_ids'],
  'failover_backends.backends': ['bkdsc_a', 'bkdhr_a', 'bkdtg_a', 'bkdwd_a'] satisfies FailoverBackend['backends'],
  'tcp_edges.ip_restriction.ip_policy_ids': ['ipp_a'] satisfies Policies<TcpEdge>,
  'tls_edges.ip_restriction.ip_policy_ids': ['ipp_a'] satisfies Policies<TlsEdge>,
  'tls_edges.mutual_tls.certificate_authority_ids': ['ca_a'] satisfies Authorities<TlsEdge>,
  'https_edges.mutual_tls.certificate_authority_ids': ['ca_a'] satisfies Authorities<HttpsEdge>,
  'https_edges.routes.ip_restriction.ip_policy_ids': ['ipp_a'] satisfies Policies<
    NonNullable<HttpsEdge['routes']>[number]
  >,
  'https_edge_routes.ip_restriction.ip_policy_ids': ['ipp_a'] satisfies Policies<HttpsEdgeRoute>,
  'event_subscriptions.destination_ids': ['ed_a'] satisfies EventSubscription['destination_ids'],
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-refers-to'?: string[]
}

/** The reference lists of a record, with an ID of each kind. */
function listsIn({ properties = {}, items }: Schema, at: string): [string, string[]][] {
  const ids = items?.['x-refers-to']?.map(table => `${kinds.find(kind => kind.table === table)!.prefix}_a`)
  const inside = Object.entries(properties).flatMap(([name, schema]) => listsIn(schema, `${at}.${name}`))
  return [...(ids ? [[at, ids] satisfies [string, string[]]] : []), ...inside, ...(items ? listsIn(items, at) : [])]
}

it('Every reference list has a type test', () => {
  expect(LISTS).toEqual(
    Object.fromEntries(kinds.flatMap(({ table }) => listsIn(recordShapeOf(ngrok.catalog, table).json, table))),
  )
})
