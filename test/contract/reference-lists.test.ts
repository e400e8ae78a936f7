import { expect, it } from 'vitest'
import type { Fixture, PartTables } from '../../src/contract/shapes.ts'
import { recordShapeOf } from '../../src/fixtures/index.ts'
import { kinds } from '../../src/resources/index.ts'

/** Each list has an id of every kind that it takes: `npm run typecheck` rejects it where the published type does not. */
const LISTS: Partial<Fixture & PartTables> = {
  ip_restrictions: [{ id: 'ipx_a', type: 'api', ip_policy_ids: ['ipp_a'] }],
  failover_backends: [{ id: 'bkdfo_a', backends: ['bkdsc_a', 'bkdhr_a', 'bkdtg_a', 'bkdwd_a'] }],
  tcp_edges: [{ id: 'edgtcp_a', ip_restriction: { ip_policy_ids: ['ipp_a'] } }],
  tls_edges: [
    {
      id: 'edgtls_a',
      ip_restriction: { ip_policy_ids: ['ipp_a'] },
      mutual_tls: { certificate_authority_ids: ['ca_a'] },
    },
  ],
  https_edges: [
    {
      id: 'edghts_a',
      mutual_tls: { certificate_authority_ids: ['ca_a'] },
      routes: [{ id: 'edghtsrt_a', ip_restriction: { ip_policy_ids: ['ipp_a'] } }],
    },
  ],
  https_edge_routes: [{ id: 'edghtsrt_a', edge_id: 'edghts_a', ip_restriction: { ip_policy_ids: ['ipp_a'] } }],
  event_subscriptions: [{ id: 'esb_a', destination_ids: ['ed_a'] }],
}

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  'x-refers-to'?: string[]
}

/** The lists of references in a record, with the prefixes of the ids that they take. */
function declared({ properties = {}, items }: Schema, at: string): string[] {
  const tables = items?.['x-refers-to'] ?? []
  const prefixes = tables.map(table => kinds.find(kind => kind.table === table)!.prefix)
  return [
    ...(tables.length > 0 ? [`${at}: ${prefixes}`] : []),
    ...Object.entries(properties).flatMap(([name, schema]) => declared(schema, `${at}.${name}`)),
    ...(items ? declared(items, at) : []),
  ]
}

/** The same of a value: every list of texts. */
function given(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([name, each]) => given(each, `${at}.${name}`))
  if (typeof value[0] !== 'string') return value.flatMap(each => given(each, at))
  return [`${at}: ${value.map(id => id.split('_')[0])}`]
}

it('A type is tested for every list of references', () => {
  const all = kinds.flatMap(({ table }) => declared(recordShapeOf(table).json, table))
  expect(all).toContain('failover_backends.backends: bkdsc,bkdhr,bkdtg,bkdwd')
  expect(Object.entries(LISTS).flatMap(([table, records]) => given(records, table))).toEqual(all)
})
