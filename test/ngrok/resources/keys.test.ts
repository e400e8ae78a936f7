import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { rawClient } from '../../support/raw-http.ts'

describe('An API key', async () => {
  const { call, as, port } = await simulate()
  const published = await simulate({ baseUrl: 'https://api.example/v2' })
  const frozen = await simulate({ clock: '2026-05-06T07:08:09.987+02:00' })
  const raw = rawClient(port)

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

  it('can delete itself', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('DELETE', `/api_keys/${key.id}`), 401, 203)
  })

  it('distinguishes an id of another kind from an invalid id', async () => {
    expectError(await call('GET', '/api_keys/ipx_dashboard'), 404, 227)
    for (const id of ['ak_', 'AK_admin', 'ak_a%20b', '%00', '..%2Fak_admin']) {
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
