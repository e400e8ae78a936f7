import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../support/afterwards.ts'
import { expectError } from '../support/http.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'

const { call, url } = await simulate()
const why = async (method: string, path: string, body?: object) =>
  expectError(await call(method, `/_sim${path}`, body), 400, 400).msg

describe('A slip in what is asked of the journal is refused:', () => {
  it.each([
    ['an unknown method', { method: 'PSOT' }, /no method "PSOT"\. Did you mean POST\?/],
    ['a path that no route has', { path: '/api_key' }, /No route has the path "\/api_key"\. Did you mean \/api_keys\?/],
    ['one in a sequence', { sequence: [{ path: '/api_keyz/*' }] }, /No route has the path/],
    ['a member no answer has', { where: { 'response.descripton': 'x' } }, /Did you mean description\?/],
    ['the status among the members', { where: { 'response.status': 200 } }, /The status of an answer is "status"/],
  ])('%s', async (_, expectation, says) => {
    expect(await why('POST', '/requests/verify', expectation)).toMatch(says)
  })

  it('also in a filter', async () => {
    expect(await why('GET', '/requests?method=GTE')).toMatch(/Did you mean GET\?/)
    expect(await why('GET', '/requests?path=/api_kees')).toMatch(/Did you mean \/api_keys\?/)
  })

  it('but a path that was asked for can be looked for', async () => {
    await call('GET', '/nowhere')
    expect((await call('GET', '/_sim/requests?path=/nowhere')).body.requests).toHaveLength(1)
    expect((await call('POST', '/_sim/requests/verify', { path: '/nowhere', status: 404 })).status).toBe(200)
  })
})

describe('A slip in a query of records is refused:', () => {
  it.each([
    ['users?name:equals=x', /no operator "equals"\. .*Known: eq, ne/],
    ['users?nmae=x', /no field "nmae"\. Did you mean name\?/],
    ['users?a[b]=x', /no field "a\[b\]"/],
    ['users?_sort=nmae', /no field "nmae"/],
    ['users?_page=first', /"_page" must be a whole number from 1, not "first"/],
    ['users?_where={', /"_where" is not valid JSON/],
    ['users?_where=[]', /"_where" must be an object/],
    ['users?_where={"name":"x"}', /"name" in "_where" must be an object like/],
    ['users?_where={"name":{"equals":"x"}}', /no operator "equals"/],
    ['users?_where={"id":{"lt":{"valueOf":1,"toString":1}}}', /"lt" in "_where" must be a text/],
    ['users?_where={"id":{"lt":{"valueOf":{"eq":1},"toString":{"eq":1}}}}', /"lt" in "_where" must be a text/],
    ['users?id.lt.valueOf=1&id.lt.toString=1', /"id\.lt\.valueOf" is not a field/],
    ['users?_where={"or":{}}', /"or" in "_where" must be a list of objects/],
  ])('%s', async (query, says) => {
    expect(await why('GET', `/db/${query}`)).toMatch(says)
  })

  it('while a text of digits is a text', async () => {
    await call('POST', '/_sim/db/users', { id: 'usr_digits', name: '123' })
    for (const query of [
      'name=123',
      'name:in=123,4',
      'name_eq=123',
      '_where={"name":{"eq":"123"}}',
      'admin=true&name=Admin',
    ])
      expect((await call('GET', `/_sim/db/users?${query}`)).body, query).toHaveLength(1)
  })
})

describe('JSON with a member twice is refused, as YAML is', () => {
  it.each([
    ['at the top', '{\n  "users": [],\n  "bots": [],\n  "users": []\n}', '4:3'],
    ['inside', '{ "users": [{ "id": "usr_a", "name": "\\"x\\": 1", "name": "b" }] }', '1:50'],
  ])('%s', async (_, text, place) => {
    const folder = folderWith({ 'twice.json': text })
    const { code, err } = await edgesimHere(['validate', 'twice.json'], { cwd: folder })
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(new RegExp(`^twice.json:${place}: "\\w+" is there twice`)),
    })
  })

  it('and none is that only looks like it', async () => {
    const text = '{ "users": [{ "id": "usr_a", "name": "a\\": \\"b" }, { "id": "usr_b", "name": "\\"name\\":" }] }'
    const { code, err } = await edgesimHere(['validate', 'once.json'], { cwd: folderWith({ 'once.json': text }) })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})

describe('Addresses of edges are checked:', () => {
  it.each([
    ['tcp_edges', { id: 'edgtcp_x', listen: 'foo' }],
    ['tcp_edges', { id: 'edgtcp_x', listen: '127.0.0.1:99999' }],
    ['tcp_edges', { id: 'edgtcp_x', listen: 'http://127.0.0.1:0' }],
    ['tcp_edges', { id: 'edgtcp_x', upstream: 'nope' }],
    ['tcp_edges', { id: 'edgtcp_x', upstream: '127.0.0.1:0' }],
    ['tcp_edges', { id: 'edgtcp_x', upstream: '999.0.0.1:80' }],
    ['https_edges', { id: 'edghts_x', listen: 'ftp://127.0.0.1:0' }],
    ['https_edges', { id: 'edghts_x', routes: [{ id: 'edghtsrt_x', upstream: '127.0.0.1:3000' }] }],
  ])('%s %j', async (table, record) => {
    expect(await why('POST', `/db/${table}`, record)).toMatch(/must be an? (address|URL) like/)
  })

  it.each([
    ['tcp_edges', { id: 'edgtcp_a', listen: '[::1]:0', upstream: 'db.internal:5432' }],
    ['tcp_edges', { id: 'edgtcp_b', listen: 'localhost:7001', upstream: '10.0.0.1:22' }],
    ['https_edges', { id: 'edghts_a', listen: 'http://127.0.0.1:0' }],
    ['https_edges', { id: 'edghts_b', routes: [{ id: 'edghtsrt_b', upstream: 'https://app.test/base' }] }],
  ])('and good ones taken: %s %j', async (table, record) => {
    expect((await call('POST', `/_sim/db/${table}`, record)).status).toBe(201)
  })
})

describe('An origin', () => {
  it.each([
    'localhost:5173',
    'http://localhost:5173/',
    '*',
  ])('that no browser sends is refused: --cors %s', async origin => {
    const { code, err } = await edgesimHere(['--cors', origin])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/--cors: must be origins like http:\/\/localhost:5173/),
    })
  })

  it('that is not listed is told which flag would let it in', async () => {
    const headers = { origin: 'http://app.test', 'access-control-request-method': 'POST' }
    const answer = await fetch(`${url}/api_keys`, { method: 'OPTIONS', headers })
    expect(answer.status).toBe(405)
    expect((await answer.json()).msg).toMatch(/CORS preflight from http:\/\/app\.test; .* --cors http:\/\/app\.test\./)
  })
})

describe('unknown_reference=accept', () => {
  const fixture = {
    users: [{ id: 'usr_a', admin: true }],
    ip_restrictions: [{ id: 'ipx_a', type: 'agent', ip_policy_ids: ['ipp_missing'] }],
  }
  const assume = { unknown_reference: 'accept' }

  it('holds for fixtures, exports and the states of scenarios', async () => {
    await expect(simulate({ fixture })).rejects.toThrow(/no ipp_missing/)
    const first = await simulate({ fixture, assume })
    const { body: state } = await first.call('GET', '/_sim/state')
    const second = await simulate({
      fixture: state,
      assume,
      scenario: { state: { ip_restrictions: [{ id: 'ipx_a', enforced: true }] } },
    })
    expect((await second.call('GET', '/_sim/state')).body.ip_restrictions[0]).toMatchObject({ enforced: true })
    expect((await second.call('PUT', '/_sim/scenario', { state: { users: [{ id: 'usr_b' }] } })).status).toBe(200)
  })

  it('can be given to validate', async () => {
    const folder = folderWith({ 'fixture.json': JSON.stringify(fixture) })
    writeFileSync(
      join(folder, 'scenario.json'),
      JSON.stringify({ state: { ip_restrictions: fixture.ip_restrictions } }),
    )
    for (const file of ['fixture.json', 'scenario.json']) {
      expect((await edgesimHere(['validate', file], { cwd: folder })).code).toBe(2)
      expect(
        (await edgesimHere(['validate', '--assume', 'unknown_reference=accept', file], { cwd: folder })).code,
      ).toBe(0)
    }
  })
})

it('After the journal was emptied, verify speaks of no dropped entries', async () => {
  const { call } = await simulate()
  await call('GET', '/api_keys')
  await call('DELETE', '/_sim/requests')
  const { body } = await call('POST', '/_sim/requests/verify', { path: '/api_keys' })
  expect(body.msg).not.toContain('dropped')
})

it('OpenAPI names the base URL as its server', async () => {
  const { call } = await simulate({ baseUrl: 'https://api.example.test' })
  expect((await call('GET', '/_sim/openapi.json')).body.servers).toEqual([{ url: 'https://api.example.test' }])
})
