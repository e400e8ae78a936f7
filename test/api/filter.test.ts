import { describe, expect, it } from 'vitest'
import { expectError, simulate } from '../support/simulate.ts'

const { call, url } = await simulate()

const listed = async (list: string, filter: string, rest = '') => {
  const { status, body } = await call('GET', `/${list}?filter=${encodeURIComponent(filter)}${rest}`)
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: undefined })
  const [items] = Object.values(body) as [{ id: string }[]]
  return { ids: items.map(({ id }) => id), next: body.next_page_uri as string | null }
}

describe('A filter chooses from a list', () => {
  it.each([
    ['api_keys', 'obj.id == "ak_ci"', ['ak_ci']],
    ['api_keys', "obj.id == 'ak_ci'", ['ak_ci']],
    ['api_keys', 'obj.description.startsWith("A member")', ['ak_member']],
    ['api_keys', 'obj.description == ""', ['ak_ci']],
    ['api_keys', 'obj.created_at > "2026-01-02T00:00:00Z"', ['ak_ci', 'ak_member']],
    ['api_keys', 'obj.created_at <= timestamp("2026-01-02T09:00:00Z")', ['ak_member', 'ak_admin']],
    ['api_keys', 'obj.owner_id in ["usr_admin", "bot_ci"] && obj.token == null', ['ak_ci', 'ak_admin']],
    ['api_keys', 'obj.metadata.matches("local")', ['ak_admin']],
    ['api_keys', 'has(obj.description) && size(obj.description) > 12', ['ak_member', 'ak_admin']],
    ['api_keys', 'false', []],
    ['ip_restrictions', 'obj.enforced', ['ipx_endpoints']],
    ['ip_restrictions', 'obj.type != "dashboard"', ['ipx_endpoints']],
    ['ip_restrictions', 'obj.ip_policies.exists(p, p.id == "ipp_blocked")', ['ipx_endpoints']],
    ['ip_policies', 'obj.description.contains("machine")', ['ipp_local']],
    ['ip_policy_rules', 'obj.action == "deny" || obj.cidr.startsWith("2001:")', ['ipr_blocked', 'ipr_office_ipv6']],
    ['ip_policy_rules', 'obj.ip_policy.id == "ipp_local"', ['ipr_local_ipv6', 'ipr_local_ipv4']],
  ])('%s by %s', async (list, filter, ids) => {
    expect((await listed(list, filter)).ids).toEqual(ids)
  })

  it('and goes on to the next page', async () => {
    const first = await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=3')
    expect(first.ids).toEqual(['ipr_local_ipv6', 'ipr_local_ipv4', 'ipr_office_ipv6'])
    const { body } = await call('GET', first.next!.slice(url.length))
    expect(body).toMatchObject({ ip_policy_rules: [{ id: 'ipr_office_ipv4' }], next_page_uri: null })
    expect((await listed('ip_policy_rules', 'obj.action == "allow"', '&limit=4')).next).toBeNull()
  })

  it('also a long one', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ id: `ak_${i}`, description: `number ${i}` }))
    const { call } = await simulate({ fixture: { users: [{ id: 'usr_a', admin: true }], api_keys: rows } })
    const { body } = await call('GET', `/api_keys?limit=2&filter=${encodeURIComponent('obj.id.endsWith("99")')}`)
    expect(body.keys.map(({ id }: { id: string }) => id)).toEqual(['ak_999', 'ak_899'])
    expect(body.next_page_uri).toContain('before_id=ak_899&limit=2&filter=obj.id.endsWith(%2299%22)')
  })

  it('when it is empty, all of it', async () => {
    expect((await listed('api_keys', '')).ids).toHaveLength(3)
  })
})

describe('A filter is refused', () => {
  it.each([
    ['when it breaks off', 'obj.id ==', /at character 10 of 9: Unexpected token/],
    ['for what does not belong', 'obj.id = "x"', /at character 8 of 12: /],
    ['for a variable that is not there', 'key.id == "x"', /at character 1 of 13: Unknown variable: key/],
    [
      'for a field that is not there',
      'obj.desription == "x"',
      /at character 5: there is no obj.desription\. Did you mean/,
    ],
    ['for a method that is not there', 'obj.id.startWith("x")', /no matching overload/],
    ['for a comparison of what cannot be compared', 'obj.id > 1', /no such overload/],
    ['when it gives a text', 'obj.id', /it gives a string/],
    ['when it gives a number', '1 + 1', /it gives a number/],
    ['when it nests too deep', `${'('.repeat(50)}true${')'.repeat(50)}`, /Exceeded maxDepth/],
    ['when it is too long', Array(400).fill('true').join(' && '), /Exceeded maxAstNodes/],
    [
      'when it takes too long',
      `("${'a'.repeat(40)}!" + obj.id).matches("^(a+)+$")`,
      /longer than 20 ms for one object/,
    ],
  ])('%s', async (_, filter, says) => {
    const { msg, details } = expectError(await call('GET', `/api_keys?filter=${encodeURIComponent(filter)}`), 400, 230)
    expect(details.field).toBe('filter')
    expect(msg).toMatch(says)
  })

  it('when it is given twice', async () => {
    expectError(await call('GET', '/api_keys?filter=true&filter=false'), 400, 232)
  })

  it('and nobody is the worse for it', async () => {
    const slow = call('GET', `/api_keys?filter=${encodeURIComponent('obj.nope')}`)
    const [refused, served] = await Promise.all([slow, call('GET', '/api_keys')])
    expect([refused.status, served.status]).toEqual([400, 200])
  })
})

it('A filter on a list that has none is an unknown parameter', async () => {
  expect((await call('GET', '/edges/tcp?filter=%28')).status).toBe(200)
  const strict = await simulate({ assume: { unknown_query: 'reject' } })
  expectError(await strict.call('GET', '/backends/static?filter=true'), 400, 231)
  expect((await strict.call('GET', '/ip_policies?filter=true')).status).toBe(200)
})
