import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { rawClient } from '../../support/raw-http.ts'

describe('An API key', async () => {
  const { call, as, url, port } = await simulate()
  const published = await simulate({ baseUrl: 'https://api.example/v2' })
  const frozen = await simulate({ clock: '2026-05-06T07:08:09.987+02:00' })
  const raw = rawClient(port)

  it('returns the token once, on create', async () => {
    const { body: key } = await call('POST', '/api_keys', { description: 'ci' })
    expect(key.token).toMatch(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}$/)
    expect((await call('GET', `/api_keys/${key.id}`)).body).toEqual({ ...key, token: null })
    expect((await call('PATCH', `/api_keys/${key.id}`, {})).body).toEqual({ ...key, token: null })
  })

  it('authenticates from its creation until its deletion', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('GET', '/api_keys')).status).toBe(200)
    expect((await call('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
    expectError(await call('GET', `/api_keys/${key.id}`), 404, '')
  })

  it('has no token in the state or the journal', async () => {
    const { body: key, headers } = await call('POST', '/api_keys')
    const state = await call('GET', '/_sim/state')
    const entry = await call('GET', `/_sim/requests/${headers.get('edgesim-operation-id')}`)
    for (const { text } of [state, entry]) {
      expect(text).toContain(key.id)
      expect(text).not.toContain(key.token.split('_')[1])
    }
    expect(entry.body.response.body.token).toBe('[redacted]')
  })

  it('preserves spaces, quotes, emoji, lone surrogates and NUL in strings', async () => {
    const description = ' \t"\u{1F600}\\\u0000\ud800 '
    const { body: key } = await call('POST', '/api_keys', { description })
    expect((await call('GET', `/api_keys/${key.id}`)).body.description).toBe(description)
  })

  it('belongs to the caller by default', async () => {
    expect((await as('sim_member')('POST', '/api_keys')).body.owner_id).toBe('usr_member')
    expect((await as('sim_ci')('POST', '/api_keys')).body.owner_id).toBe('bot_ci')
    expect((await as('sim_member')('POST', '/api_keys', { owner_id: 'usr_member' })).body.owner_id).toBe('usr_member')
  })

  it('can be created for other owners by an admin', async () => {
    for (const owner_id of ['usr_member', 'bot_ci']) {
      const { status, body: key } = await call('POST', '/api_keys', { owner_id })
      expect({ status, owner_id: key.owner_id }).toEqual({ status: 201, owner_id })
      expect((await as(key.token)('POST', '/api_keys')).body.owner_id).toBe(owner_id)
    }
  })

  it('accepts an empty update, which is not a change', async () => {
    const { body: key } = await call('POST', '/api_keys', { description: 'a' })
    for (const body of [undefined, {}, { description: 'a' }, { id: key.id }, { metadata: '' }]) {
      const { status, body: shown, headers } = await call('PATCH', `/api_keys/${key.id}`, body)
      expect({ status, shown }).toEqual({ status: 200, shown: { ...key, token: null } })
      const entry = await call('GET', `/_sim/requests/${headers.get('edgesim-operation-id')}`)
      expect(entry.body.change).toBeNull()
    }
  })

  it('is listed without its token and unset fields', async () => {
    const { body: list } = await call('GET', '/api_keys', undefined, { token: 'sim_member~listing' })
    expect(list).toEqual({
      keys: [
        { id: 'ak_ci', created_at: '2026-01-03T09:00:00Z', owner_id: 'bot_ci', token: null },
        {
          id: 'ak_member',
          created_at: '2026-01-02T09:00:00Z',
          description: "A member's key",
          owner_id: 'usr_member',
          token: null,
        },
        {
          id: 'ak_admin',
          created_at: '2026-01-01T09:00:00Z',
          description: "The admin's key",
          metadata: '{"environment":"local"}',
          owner_id: 'usr_admin',
          token: null,
        },
      ].map(key => ({ ...key, uri: `${url}/api_keys/${key.id}` })),
      uri: `${url}/api_keys`,
      next_page_uri: null,
    })
  })

  it('can delete itself', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('DELETE', `/api_keys/${key.id}`), 401, 203)
  })

  it('distinguishes an id of another kind from an invalid id', async () => {
    expectError(await call('GET', '/api_keys/ipx_dashboard'), 404, 227)
    for (const id of ['admin', 'ak_', 'AK_admin', 'ak_a%20b', '%00', '..%2Fak_admin']) {
      expectError(await call('GET', `/api_keys/${id}`), 404, 222)
    }
  })

  it('is found by its percent-encoded id', async () => {
    expect((await call('GET', '/api_keys/%61k_admin')).body.id).toBe('ak_admin')
  })

  it('has uris with the address the client called', async () => {
    const host = ['Host: api.localhost:8080']
    const { body: key } = await raw.request({ target: '/api_keys/ak_admin', without: ['host'], headers: host })
    expect(key.uri).toBe('http://api.localhost:8080/api_keys/ak_admin')
  })

  it('has uris with the configured base URL', async () => {
    const { body: list } = await rawClient(published.port).request({ target: '/api_keys?limit=1' })
    expect(list).toMatchObject({
      keys: [{ uri: 'https://api.example/v2/api_keys/ak_ci' }],
      uri: 'https://api.example/v2/api_keys',
      next_page_uri: 'https://api.example/v2/api_keys?before_id=ak_ci&limit=1',
    })
  })

  it('is created at the clock time, in seconds', async () => {
    const { body: key, headers } = await frozen.call('POST', '/api_keys')
    expect(key.created_at).toBe('2026-05-06T05:08:09Z')
    expect(headers.get('date')).toBe('Wed, 06 May 2026 05:08:09 GMT')
  })
})
