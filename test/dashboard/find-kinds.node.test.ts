import { describe, expect, it } from 'vitest'
import type { Kind } from '../../src/dashboard/types.ts'
import { findKinds } from '../../src/dashboard/views/resources/find-kinds.ts'

const kind = (label: string, family: string, table: string, path: string | null, prefix: string) =>
  ({ label, family, table, path, prefix }) as Kind

const KINDS = [
  kind('API key', 'Access', 'api_keys', '/api_keys', 'ak'),
  kind('IP policy', 'IP', 'ip_policies', '/ip_policies', 'ipp'),
  kind('IP policy rule', 'IP', 'ip_policy_rules', '/ip_policy_rules', 'ipr'),
  kind('Static backend', 'Backends', 'backends', '/backends/static', 'bkdsc'),
  kind('HTTPS edge', 'Edges', 'https_edges', '/edges/https', 'edghts'),
  kind('Route', 'Edges', 'https_edge_routes', '/edges/https/{edge_id}/routes', 'edghtsrt'),
  kind('App', 'Apps', 'apps', '/apps', 'app'),
  kind('App user', 'Apps', 'app_users', null, 'appuser'),
]

describe('The resource type search', () => {
  it.each([
    ['', KINDS.map(({ table }) => table)],
    ['ip rul', ['ip_policy_rules']],
    ['rul ip', ['ip_policy_rules']],
    ['API KEY', ['api_keys']],
    ['policies', ['ip_policies']],
    ['polic', ['ip_policies', 'ip_policy_rules']],
    ['/backends/st', ['backends']],
    ['edghts', ['https_edges', 'https_edge_routes']],
    ['app_us', ['app_users']],
    ['edge_id', []],
    ['ackend', []],
    ['nothing_like_this', []],
  ])('for %j finds %j', (text, tables) => {
    const found = findKinds(KINDS, text)
    expect(found.kinds.map(({ table }) => table)).toEqual(tables)
    expect(found.record).toBeUndefined()
  })

  it.each([
    [' ipp_office ', 'ip_policies', 'ipp_office'],
    ['edghtsrt_api', 'https_edge_routes', 'edghtsrt_api'],
    ['app_usex', 'apps', 'app_usex'],
  ])('treats %j as a record ID', (text, table, id) => {
    const { kinds, record } = findKinds(KINDS, text)
    expect(kinds.map(each => each.table)).toEqual([table])
    expect(record).toMatchObject({ id, kind: { table } })
  })
})
