import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, url } = await simulate()

const pathOf = (list: string, filter: string, rest = '') => `/${list}?filter=${encodeURIComponent(filter)}${rest}`

const listed = async (list: string, filter: string, rest = '', send = call) => {
  const { status, body } = await send('GET', pathOf(list, filter, rest))
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: undefined })
  const [items] = Object.values(body) as [{ id: string }[]]
  return { ids: items.map(({ id }) => id), next: body.next_page_uri as string | null }
}

describe('A filter', () => {
  it.each([
    // Texts and ids
    ['api_keys', 'obj.id == "ak_ci"', ['ak_ci']],
    ['api_keys', "'ak_ci' == obj.id", ['ak_ci']],
    ['api_keys', 'obj.id != "ak_ci"', ['ak_member', 'ak_admin']],
    ['api_keys', 'obj.id < "ak_b"', ['ak_admin']],
    ['api_keys', 'obj.description == "A member\\u0027s\\u0020key"', ['ak_member']],
    ['api_keys', "obj.description == 'A member\\'s key'", ['ak_member']],
    ['api_keys', 'obj.metadata == "{\\"environment\\":\\"local\\"}"', ['ak_admin']],
    ['api_keys', 'obj.description.startsWith("A member")', ['ak_member']],
    ['api_keys', 'obj.description.endsWith("key")', ['ak_member', 'ak_admin']],
    ['ip_policies', 'obj.description.contains("machine")', ['ipp_local']],
    ['ip_policy_rules', 'obj.action == "deny" || obj.cidr.startsWith("2001:")', ['ipr_blocked', 'ipr_office_ipv6']],
    // What is not set
    ['api_keys', 'obj.description == ""', ['ak_ci']],
    ['api_keys', 'obj.description == null', ['ak_ci']],
    ['api_keys', 'null != obj.description', ['ak_member', 'ak_admin']],
    ['api_keys', 'obj.description in [null, "A member\'s key"]', ['ak_ci', 'ak_member']],
    ['api_keys', 'size(obj.description) == 0', ['ak_ci']],
    ['api_keys', 'obj.owner_id in ["usr_admin", "bot_ci"] && obj.metadata == null', ['ak_ci']],
    ['ip_policy_rules', 'obj.ip_policy == null', []],
    // Lists, and members of members
    ['api_keys', 'obj.owner_id in ["usr_admin", "bot_ci"]', ['ak_ci', 'ak_admin']],
    ['api_keys', 'obj.owner_id in []', []],
    ['api_keys', '!(obj.owner_id in ["usr_admin"])', ['ak_ci', 'ak_member']],
    ['api_keys', 'obj.description.size() in [14, 15]', ['ak_member', 'ak_admin']],
    ['ip_restrictions', 'size(obj.id) >= 14', []],
    ['ip_restrictions', 'obj.id.size() < 13.5 && obj.id != "ipx_dashboard"', ['ipx_endpoints']],
    ['ip_restrictions', 'size(["a", "b"]) == 2 && size(obj.metadata) > -1', ['ipx_endpoints', 'ipx_dashboard']],
    ['ip_policy_rules', 'obj.ip_policy.id == "ipp_local"', ['ipr_local_ipv6', 'ipr_local_ipv4']],
    [
      'ip_policy_rules',
      'obj.ip_policy != null && obj.ip_policy.uri.endsWith("/ip_policies/ipp_blocked")',
      ['ipr_blocked'],
    ],
    // True and false
    ['ip_restrictions', '!(obj.id == "ipx_endpoints")', ['ipx_dashboard']],
    ['ip_restrictions', '!!(obj.id == "ipx_endpoints") == true', ['ipx_endpoints']],
    ['ip_restrictions', '(obj.id == "ipx_endpoints") != true', ['ipx_dashboard']],
    ['ip_policy_rules', 'obj.action != "allow"', ['ipr_blocked']],
    ['api_keys', 'false', []],
    ['api_keys', 'true', ['ak_ci', 'ak_member', 'ak_admin']],
    ['api_keys', 'false && true || true', ['ak_ci', 'ak_member', 'ak_admin']],
    ['api_keys', 'false && (true || true)', []],
    // Times
    ['api_keys', 'obj.created_at > "2026-01-02T00:00:00Z"', ['ak_ci', 'ak_member']],
    ['api_keys', '"2026-01-02T00:00:00Z" < obj.created_at', ['ak_ci', 'ak_member']],
    ['api_keys', 'obj.created_at <= timestamp("2026-01-02T09:00:00Z")', ['ak_member', 'ak_admin']],
    ['api_keys', 'timestamp("2026-01-02T09:00:00Z") >= obj.created_at', ['ak_member', 'ak_admin']],
    ['api_keys', 'obj.created_at == timestamp("2026-01-02T10:00:00+01:00")', ['ak_member']],
    ['api_keys', 'timestamp("2026-01-02T09:00:00Z") != obj.created_at', ['ak_ci', 'ak_admin']],
    ['api_keys', 'obj.created_at == "2026-01-02T10:00:00.000+01:00"', ['ak_member']],
    [
      'api_keys',
      'obj.created_at in [timestamp("2026-01-02T10:00:00+01:00"), "2026-01-01T09:00:00Z"]',
      ['ak_member', 'ak_admin'],
    ],
    ['api_keys', 'obj.created_at < timestamp("2026-01-02Z")', ['ak_admin']],
    ['api_keys', 'obj.created_at > "2026-01-03z"', ['ak_ci']],
    ['api_keys', 'obj.created_at > timestamp("2026-01-02Z").add("9h")', ['ak_ci']],
    [
      'api_keys',
      'obj.created_at < timestamp("2026-01-02T09:00:00Z").add("24h").subtract("23h")',
      ['ak_member', 'ak_admin'],
    ],
  ])('chooses from %s by %s', async (list, filter, ids) => {
    expect((await listed(list, filter)).ids).toEqual(ids)
  })

  it('is kept in the address of the next page', async () => {
    const first = await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=3')
    expect(first.ids).toEqual(['ipr_local_ipv6', 'ipr_local_ipv4', 'ipr_office_ipv6'])
    const { body } = await call('GET', first.next!.slice(url.length))
    expect(body).toMatchObject({ ip_policy_rules: [{ id: 'ipr_office_ipv4' }], next_page_uri: null })
    expect((await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=4')).next).toBeNull()
  })

  it('chooses from a list of 1,000 records', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ id: `ak_${i}`, description: `number ${i}` }))
    const { call } = await simulate({ fixture: { users: [{ id: 'usr_a', admin: true }], api_keys: rows } })
    const filter = encodeURIComponent('obj.description.endsWith("99")')
    const { body } = await call('GET', `/api_keys?limit=2&filter=${filter}`)
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual(['ak_999', 'ak_899'])
    expect(body.next_page_uri).toContain('before_id=ak_899&limit=2&filter=obj.description.endsWith(%2299%22)')
  })

  it('that is empty chooses all records', async () => {
    expect((await listed('api_keys', '')).ids).toHaveLength(3)
  })

  it('treats a text that is not set as "", whatever unset_text says', async () => {
    for (const unset_text of ['omit', 'empty'] as const) {
      const { call } = await simulate({ assume: { unset_text } })
      expect((await listed('api_keys', 'obj.metadata == "" && obj.metadata == null', '', call)).ids).toEqual([
        'ak_ci',
        'ak_member',
      ])
    }
  })

  it('uses the clock of its sandbox, which the explanation names if it is frozen', async () => {
    const { call } = await simulate({ clock: '2026-01-03T12:00:00Z' })
    const since = (ago: string) => listed('api_keys', `obj.created_at > timestamp(time.now)${ago}`, '', call)
    expect((await since('.subtract("7d")')).ids).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
    expect((await since('.subtract("24h")')).ids).toEqual(['ak_ci'])
    expect((await since('.subtract("1d").add("90m").subtract("1800s")')).ids).toEqual(['ak_ci'])
    expect((await since('')).ids).toEqual([])
    const { headers } = await call('GET', pathOf('api_keys', 'timestamp(time.now) > obj.created_at'))
    const { body } = await call('GET', `/_sim/requests/${headers.get('edgesim-operation-id')}`)
    expect(body.explanation.text).toContain('clock stands at 2026-01-03T12:00:00Z')
  })
})

const ALLOWED =
  'size(x), timestamp(x), x.size(), x.startsWith(y), x.endsWith(y), x.contains(y), x.add(y), x.subtract(y)'

describe('A wrong filter', () => {
  it.each([
    // What is not part of filters, by its name
    ['obj.id.split("") == []', 8, `the function split is not part of filters. Allowed: ${ALLOWED}`],
    ['cel.bind(a, "x", a == a)', 5, 'the function cel.bind is not part of filters'],
    ['obj.metadata.exists(p, p.id == "x")', 14, 'the function exists is not part of filters'],
    ['obj.map(k, k)', 5, 'the function map is not part of filters'],
    ['has(obj.description)', 1, 'the function has is not part of filters'],
    ['obj.description.matches("a+")', 17, 'the function matches is not part of filters'],
    ['obj.description.startWith("x")', 17, 'the function startWith is not part of filters. Did you mean startsWith?'],
    ['startsWith(obj.description, "x")', 1, 'the function startsWith is not part of filters'],
    ['true ? true : false', 6, 'the ternary operator ? : is not part of filters'],
    ['obj["id"] == "x"', 4, 'an index [ ] is not part of filters'],
    ['[true][0]', 7, 'an index [ ] is not part of filters'],
    ['{"a": 1} == {}', 1, 'a map { } is not part of filters'],
    ['obj.id + "x" == "y"', 8, 'arithmetic (+) is not part of filters'],
    ['size(obj.id) - 1 == 2', 14, 'arithmetic (-) is not part of filters'],
    ['-size(obj.id) == 2', 1, 'arithmetic (-) is not part of filters'],
    ['size(obj.id) % 2 == 0', 14, 'arithmetic (%) is not part of filters'],
    ['1 < size(obj.id) < 3', 18, 'a comparison of a comparison is not part of filters'],
    // What cannot be read
    ['obj.id ==', 10, 'it ends where a value is expected'],
    ['obj.id = "x"', 8, '= is unexpected. Did you mean ==?'],
    ['true & true', 6, '& is unexpected. Did you mean &&?'],
    ['(true', 6, 'it ends where ) is expected'],
    ['true)', 5, ') is unexpected'],
    ['true true', 6, 'true is unexpected'],
    ['obj. == 1', 6, '== is unexpected'],
    ['obj.id == "x', 11, 'the text has no end'],
    ['obj.id == \'x"', 11, 'the text has no end'],
    ['obj.id == "\\q"', 11, '\\q is not an escape. Allowed: \\" \\\' \\\\ \\n \\r \\t \\u0000'],
    ['size(obj.id) == 0x10', 17, '0x10 is not a number'],
    ['obj.id == 💥', 11, '💥 is unexpected'],
    ['obj.id in', 10, 'it ends where a value is expected'],
    // Names
    ['key.id == "x"', 1, 'there is no key. Known: obj, and time.now as in timestamp(time.now)'],
    ['time.today == "x"', 1, 'there is no time.today'],
    ['obj.desription == "x"', 5, 'filters do not know obj.desription. Did you mean description?'],
    ['obj.constructor == null', 5, 'filters do not know obj.constructor. Known: id, '],
    ['obj.__proto__ == null', 5, 'filters do not know obj.__proto__. Known: id, '],
    ['obj.id.length == 1', 8, 'obj.id is an id: it has no members'],
    // What does not go together
    ['obj.id > 1', 8, 'obj.id is an id and 1 is a number: they cannot be compared'],
    ['obj.id == true', 8, 'obj.id is an id and true is true or false: they cannot be compared'],
    ['obj.id > null', 8, 'null can only be compared with == and !='],
    ['true > false', 6, 'true can only be compared with == and !='],
    ['obj == obj', 5, 'obj is an object: only null and its members can be compared'],
    ['obj.created_at > "yesterday"', 18, 'it must be an RFC 3339 time like 2026-01-01T00:00:00Z'],
    ['obj.created_at > timestamp("2026-02-30T00:00:00Z")', 28, 'it must be an RFC 3339 time'],
    ['obj.created_at > timestamp("2026-02-30Z")', 28, 'it must be an RFC 3339 time'],
    [
      'obj.created_at > timestamp("2026-02-03")',
      28,
      'it must be an RFC 3339 time like 2026-01-01T00:00:00Z, from the year 1 to the year 9999 in UTC, or a day like 2026-01-01Z',
    ],
    ['obj.created_at > timestamp(obj.description)', 28, 'timestamp takes a text in quotes, or time.now'],
    ['obj.created_at.startsWith("2026")', 1, 'startsWith works on texts; obj.created_at is a time'],
    ['obj.id.startsWith("ak_")', 1, 'startsWith is not available on ids. Compare obj.id with == or in'],
    ['obj.id.contains("x")', 1, 'contains is not available on ids'],
    ['obj.description.contains(obj.metadata)', 26, 'contains takes a text in quotes'],
    ['obj.description.contains(1)', 26, 'contains takes a text in quotes'],
    ['obj.description.contains()', 17, 'contains takes 1 argument, not 0'],
    ['size(obj.id, obj.id) == 1', 1, 'size takes 1 argument, not 2'],
    ['size(obj.created_at) == 1', 6, 'size works on texts and lists; obj.created_at is a time'],
    [
      'obj.created_at.add("1h") > "2026-01-01T00:00:00Z"',
      1,
      'add works on timestamp(…) only, and not on obj.created_at',
    ],
    ['obj.created_at > timestamp(time.now).add("1w")', 42, 'it must be a duration like 90s, 30m, 24h or 7d'],
    ['obj.id in "ak_ci"', 11, 'in takes a list in brackets, such as ["a", "b"]'],
    ['"ak_ci" in ["ak_ci"]', 1, 'the left side of in must be a member of obj'],
    ['obj.id in [obj.metadata]', 12, 'a list holds constant values only; obj.metadata is not one'],
    ['obj.id in [["ak_ci"]]', 12, 'a list in a list is not part of filters'],
    ['obj.id in ["ak_ci", 1]', 21, 'obj.id is an id and 1 is a number'],
    ['["a"] == ["a"]', 7, '["a"] is a list: only null and its size() can be compared'],
    // What is neither true nor false
    ['obj.id', 1, 'obj.id is an id: true or false is expected'],
    ['size(obj.id)', 1, 'size(obj.id) is a number: true or false is expected'],
    ['null', 1, 'null is null: true or false is expected'],
    ['!obj.id', 2, 'obj.id is an id: true or false is expected'],
    ['true || 1', 9, '1 is a number: true or false is expected'],
    ['obj.id && true', 1, 'obj.id is an id: true or false is expected'],
    // What is too deep
    [`${'('.repeat(41)}true${')'.repeat(41)}`, 41, 'it is nested deeper than 40 levels'],
    [`${'!'.repeat(41)}true`, 41, 'it is nested deeper than 40 levels'],
    [`${'['.repeat(41)}`, 41, 'it is nested deeper than 40 levels'],
    [`obj.created_at > timestamp(time.now)${'.add("1h")'.repeat(41)}`, 437, 'it is nested deeper than 40 levels'],
  ])('is refused with its place and what is allowed: %s', async (filter, at, says) => {
    const { msg, details } = expectError(await call('GET', pathOf('ip_restrictions', filter)), 400, 250)
    expect(details.field).toBe('filter')
    expect(msg).toContain(`at character ${at}: ${says}`)
  })

  it.each([
    ['api_keys', ['token', 'uri'], 'id, created_at, description, metadata, owner_id'],
    ['ip_policies', ['uri'], 'id, created_at, description, metadata'],
    ['ip_policy_rules', ['uri', 'ip_policy_id'], 'id, created_at, description, metadata, ip_policy, cidr, action'],
    ['ip_restrictions', ['uri', 'type', 'enforced', 'ip_policies'], 'id, created_at, description, metadata'],
  ])('is refused if it names what %s cannot be filtered by', async (list, members, known) => {
    for (const member of members) {
      const { msg } = expectError(await call('GET', pathOf(list, `obj.${member} == null`)), 400, 250)
      expect(msg).toMatch(new RegExp(`filters do not know obj.${member}. (Known: ${known}|Did you mean ip_policy\\?)`))
    }
  })

  it('is refused even if there is nothing to filter', async () => {
    const { call } = await simulate({ fixture: 'empty' })
    const send = (filter: string) => call('GET', pathOf('ip_policies', filter))
    expect(expectError(await send('obj.desription == "x"'), 400, 250).msg).toContain('Did you mean description?')
    expectError(await send('obj.description'), 400, 250)
    expect((await send('obj.description == "x"')).body.ip_policies).toEqual([])
  })

  it('is refused if it is given twice', async () => {
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
  const refused = async (path: string, send = call) => expectError(await send('GET', path), 400, 231).msg
  for (const list of ['api_keys', 'ip_policies', 'ip_policy_rules', 'ip_restrictions']) {
    expect(await refused(`/${list}?order=asc`)).toContain('Allowed: limit, before_id, filter.')
    expect(await refused(`/${list}?filtr=true`)).toContain('Did you mean filter?')
  }
  for (const list of ['backends/static', 'edges/tcp', 'edges/https'])
    expect(await refused(`/${list}?filtr=true`)).toMatch(/"filtr" is not supported\. Allowed: limit, before_id\. To/)
  expect(await refused('/api_keys/ak_ci?filter=true')).toMatch(/"filter" is not supported\. To ignore/)
  const without = await simulate({ assume: { unknown_query: 'reject', list_filter: 'reject' } })
  for (const name of ['filter', 'filtr'])
    expect(await refused(`/api_keys?${name}=true`, without.call)).toContain('Allowed: limit, before_id. To')
})

it('The fields that lists can be filtered by are in /_sim/resources, in OpenAPI, and in answers', async () => {
  const { body: resources } = await call('GET', '/_sim/resources')
  const { body: openapi } = await call('GET', '/_sim/openapi.json')
  const kinds = resources.kinds.filter(({ filterable }: { filterable: string[] }) => filterable.length > 0)
  expect(kinds.map(({ table }: { table: string }) => table)).toEqual(
    expect.arrayContaining(['api_keys', 'ip_policies', 'ip_policy_rules', 'ip_restrictions']),
  )
  for (const { path, filterable } of kinds) {
    const { parameters, responses } = openapi.paths[path].get
    const parameter = parameters.find(({ name }: { name?: string }) => name === 'filter')
    expect(parameter.description).toContain(filterable.join(', '))
    const name = responses['200'].content['application/json'].schema.$ref.split('/').at(-1).replace(/List$/, '')
    expect(Object.keys(openapi.components.schemas[name].properties)).toEqual(expect.arrayContaining(filterable))
    for (const field of filterable)
      expect((await call('GET', pathOf(path.slice(1), `obj.${field} != null`))).status).toBe(200)
  }
  for (const { path, list_as, filterable } of resources.kinds)
    if (list_as && filterable.length === 0)
      expect(JSON.stringify(openapi.paths[path].get.parameters)).not.toContain('filter')
})
