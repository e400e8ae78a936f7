import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call } = await simulate()
const why = async (method: string, path: string, body?: object) =>
  expectError(await call(method, `/_sim${path}`, body), 400, 400).msg

describe('A typo in a query of the journal', () => {
  it.each([
    ['an unknown method', { method: 'PSOT' }, /no method "PSOT"\. Did you mean POST\?/],
    ['a path that no route has', { path: '/api_key' }, /No route has the path "\/api_key"\. Did you mean \/api_keys\?/],
    ['one in a sequence', { sequence: [{ path: '/api_keyz/*' }] }, /No route has the path/],
    ['a member no answer has', { where: { 'response.descripton': 'x' } }, /Did you mean description\?/],
    ['the status among the members', { where: { 'response.status': 200 } }, /The status of an answer is "status"/],
  ])('is refused: %s', async (_, expectation, says) => {
    expect(await why('POST', '/requests/verify', expectation)).toMatch(says)
  })

  it('is refused in a filter', async () => {
    expect(await why('GET', '/requests?method=GTE')).toMatch(/Did you mean GET\?/)
    expect(await why('GET', '/requests?path=/api_kees')).toMatch(/Did you mean \/api_keys\?/)
  })

  it('is accepted in a path that was requested', async () => {
    await call('GET', '/nowhere')
    expect((await call('GET', '/_sim/requests?path=/nowhere')).body.requests).toHaveLength(1)
    expect((await call('POST', '/_sim/requests/verify', { path: '/nowhere', status: 404 })).status).toBe(200)
  })
})

describe('A typo in a query of records', () => {
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
  ])('is refused: %s', async (query, says) => {
    expect(await why('GET', `/db/${query}`)).toMatch(says)
  })

  it('is not seen in a text of digits', async () => {
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
