import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { tableIn } from '../../support/tables.ts'

interface Filters {
  chosen: [list: string, filter: string, ids: string[]][]
  rejected: [filter: string, at: number, says: string][]
}

const { chosen, rejected }: Filters = tableIn(import.meta.url, 'filter.yaml')
const deep = (filter: string, at = 41): Filters['rejected'][0] => [
  filter,
  at,
  'the expression is nested deeper than 40 levels',
]
rejected.push(
  deep(`${'('.repeat(41)}true${')'.repeat(41)}`),
  deep(`${'!'.repeat(41)}true`),
  deep('['.repeat(41)),
  deep(`obj.created_at > timestamp(time.now)${'.add("1h")'.repeat(41)}`, 437),
)

const { call, url } = await simulate()

const pathOf = (list: string, filter: string, rest = '') => `/${list}?filter=${encodeURIComponent(filter)}${rest}`

const listed = async (list: string, filter: string, rest = '', send = call) => {
  const { status, body } = await send('GET', pathOf(list, filter, rest))
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: undefined })
  const [items] = Object.values(body) as [{ id: string }[]]
  return { ids: items.map(({ id }) => id), next: body.next_page_uri as string | null }
}

describe('A filter', () => {
  it.each(chosen)('on %s selects by %s', async (list, filter, ids) => {
    expect((await listed(list, filter)).ids).toEqual(ids)
  })

  it('is part of next_page_uri', async () => {
    const first = await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=3')
    expect(first.ids).toEqual(['ipr_local_ipv6', 'ipr_local_ipv4', 'ipr_office_ipv6'])
    const { body } = await call('GET', first.next!.slice(url.length))
    expect(body).toMatchObject({ ip_policy_rules: [{ id: 'ipr_office_ipv4' }], next_page_uri: null })
    expect((await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=4')).next).toBeNull()
  })

  it('selects from 1,000 records', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ id: `ak_${i}`, description: `number ${i}` }))
    const { call } = await simulate({ fixture: { users: [{ id: 'usr_a', admin: true }], api_keys: rows } })
    const filter = encodeURIComponent('obj.description.endsWith("99")')
    const { body } = await call('GET', `/api_keys?limit=2&filter=${filter}`)
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual(['ak_999', 'ak_899'])
    expect(body.next_page_uri).toContain('before_id=ak_899&limit=2&filter=obj.description.endsWith(%2299%22)')
  })

  it('that is empty selects all records', async () => {
    expect((await listed('api_keys', '')).ids).toHaveLength(3)
  })

  it('treats an unset string as "", whatever the value of unset_text', async () => {
    for (const unset_text of ['omit', 'empty'] as const) {
      const { call } = await simulate({ assume: { unset_text } })
      expect((await listed('api_keys', 'obj.metadata == "" && obj.metadata == null', '', call)).ids).toEqual([
        'ak_ci',
        'ak_member',
      ])
    }
  })

  it('uses the sandbox clock, which the explanation mentions if frozen', async () => {
    const { call } = await simulate({ clock: '2026-01-03T12:00:00Z' })
    const since = (ago: string) => listed('api_keys', `obj.created_at > timestamp(time.now)${ago}`, '', call)
    expect((await since('.subtract("7d")')).ids).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
    expect((await since('.subtract("24h")')).ids).toEqual(['ak_ci'])
    expect((await since('.subtract("1d").add("90m").subtract("1800s")')).ids).toEqual(['ak_ci'])
    expect((await since('')).ids).toEqual([])
    const { headers } = await call('GET', pathOf('api_keys', 'timestamp(time.now) > obj.created_at'))
    const { body } = await call('GET', `/_sim/requests/${headers.get('edgesim-operation-id')}`)
    expect(body.explanation.text).toContain('clock is frozen at 2026-01-03T12:00:00Z')
  })
})

describe('An invalid filter', () => {
  it.each(rejected)('is rejected with the position and the allowed syntax: %s', async (filter, at, says) => {
    const { msg, details } = expectError(await call('GET', pathOf('ip_restrictions', filter)), 400, 250)
    expect(details.field).toBe('filter')
    expect(msg).toContain(`at character ${at}: ${says}`)
  })

  it.each([
    ['api_keys', ['token', 'uri'], 'id, created_at, description, metadata, owner_id'],
    ['ip_policies', ['uri'], 'id, created_at, description, metadata'],
    ['ip_policy_rules', ['uri', 'ip_policy_id'], 'id, created_at, description, metadata, ip_policy, cidr, action'],
    ['ip_restrictions', ['uri', 'type', 'enforced', 'ip_policies'], 'id, created_at, description, metadata'],
  ])('is rejected for fields that %s cannot be filtered by', async (list, members, known) => {
    for (const member of members) {
      const { msg } = expectError(await call('GET', pathOf(list, `obj.${member} == null`)), 400, 250)
      expect(msg).toMatch(new RegExp(`unknown field obj.${member}. (Known: ${known}|Did you mean ip_policy\\?)`))
    }
  })

  it('is rejected even if the list is empty', async () => {
    const { call } = await simulate({ fixture: 'empty' })
    const send = (filter: string) => call('GET', pathOf('ip_policies', filter))
    expect(expectError(await send('obj.desription == "x"'), 400, 250).msg).toContain('Did you mean description?')
    expectError(await send('obj.description'), 400, 250)
    expect((await send('obj.description == "x"')).body.ip_policies).toEqual([])
  })

  it('is rejected if sent twice', async () => {
    expectError(await call('GET', '/api_keys?filter=true&filter=false'), 400, 232)
  })
})

it('A filter on a list without filters is an unknown parameter', async () => {
  expect((await call('GET', '/edges/tcp?filter=%28')).status).toBe(200)
  const strict = await simulate({ assume: { unknown_query: 'reject' } })
  expectError(await strict.call('GET', '/backends/static?filter=true'), 400, 231)
  expect((await strict.call('GET', '/ip_policies?filter=true')).status).toBe(200)
})

it('The error of an unknown parameter lists filter where it is allowed', async () => {
  const { call } = await simulate({ assume: { unknown_query: 'reject' } })
  const rejected = async (path: string, send = call) => expectError(await send('GET', path), 400, 231).msg
  for (const list of ['api_keys', 'ip_policies', 'ip_policy_rules', 'ip_restrictions']) {
    expect(await rejected(`/${list}?order=asc`)).toContain('Allowed: limit, before_id, filter.')
    expect(await rejected(`/${list}?filtr=true`)).toContain('Did you mean filter?')
  }
  for (const list of ['backends/static', 'edges/tcp', 'edges/https'])
    expect(await rejected(`/${list}?filtr=true`)).toMatch(/"filtr" is not supported\. Allowed: limit, before_id\. To/)
  expect(await rejected('/api_keys/ak_ci?filter=true')).toMatch(/"filter" is not supported\. To ignore/)
  const without = await simulate({ assume: { unknown_query: 'reject', list_filter: 'reject' } })
  for (const name of ['filter', 'filtr'])
    expect(await rejected(`/api_keys?${name}=true`, without.call)).toContain('Allowed: limit, before_id. To')
})

it('The filterable fields are in /_sim/resources, in OpenAPI, and in responses', async () => {
  const { body: resources } = await call('GET', '/_sim/resources')
  const { body: openapi } = await call('GET', '/_sim/openapi.json')
  const kinds = resources.kinds.filter(({ filterable }: { filterable: string[] }) => filterable.length > 0)
  const tables = kinds.map(({ table }: { table: string }) => table)
  expect(tables).toEqual(expect.arrayContaining(['api_keys', 'ip_policies', 'ip_policy_rules', 'ip_restrictions']))
  for (const { path, filterable } of kinds) {
    const outer = filterable.map((field: string) => field.split('.')[0])
    const { parameters, responses } = openapi.paths[path].get
    const parameter = parameters.find(({ name }: { name?: string }) => name === 'filter')
    expect(parameter.description).toContain(filterable.join(', '))
    const name = responses['200'].content['application/json'].schema.$ref.split('/').at(-1).replace(/List$/, '')
    expect(Object.keys(openapi.components.schemas[name].properties)).toEqual(expect.arrayContaining(outer))
    for (const field of filterable)
      expect((await call('GET', pathOf(path.slice(1), `obj.${field} != null`))).status).toBe(200)
  }
  for (const { path, list_as, filterable } of resources.kinds)
    if (list_as && filterable.length === 0)
      expect(JSON.stringify(openapi.paths[path].get.parameters)).not.toContain('filter')
})
