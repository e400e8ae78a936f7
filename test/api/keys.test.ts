import { describe, expect, it } from 'vitest'
import { expectError, simulate } from '../support/simulate.ts'

describe('API keys', async () => {
  const { call, as, url } = await simulate()

  it('returns the token once, on create', async () => {
    const created = await call('POST', '/api_keys', { description: 'ci', metadata: '{"a":1}' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^ak_[0-9A-Za-z]{27}$/),
      uri: `${url}/api_keys/${created.body.id}`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      description: 'ci',
      metadata: '{"a":1}',
      owner_id: 'usr_admin',
      token: expect.stringMatching(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{48}$/),
    })
    const got = await call('GET', `/api_keys/${created.body.id}`)
    expect(got.status).toBe(200)
    expect(got.body).toEqual({ ...created.body, token: null })
  })

  it('authenticates with a key from its creation until its deletion', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('GET', '/api_keys')).status).toBe(200)
    expect((await call('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
    expectError(await call('GET', `/api_keys/${key.id}`), 404, 404)
  })
})
