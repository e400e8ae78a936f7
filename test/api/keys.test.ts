import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

describe('An API key', async () => {
  const { call, as, url, port } = await simulate()
  const published = await simulate({ baseUrl: 'https://api.example/v2' })
  const frozen = await simulate({ clock: '2026-05-06T07:08:09.987+02:00' })
  const raw = rawClient(port)

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
      token: expect.stringMatching(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}$/),
    })
    const got = await call('GET', `/api_keys/${created.body.id}`)
    expect(got.status).toBe(200)
    expect(got.body).toEqual({ ...created.body, token: null })
  })

  it('authenticates from its creation until its deletion', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('GET', '/api_keys')).status).toBe(200)
    expect((await call('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('GET', '/api_keys'), 401, 203)
    expectError(await call('GET', `/api_keys/${key.id}`), 404, 404)
  })

  it('has no token in the state or in the journal', async () => {
    const { body: key, headers } = await call('POST', '/api_keys')
    const state = await call('GET', '/_sim/state')
    const entry = await call('GET', `/_sim/requests/${headers.get('edgesim-operation-id')}`)
    for (const { text } of [state, entry]) {
      expect(text).toContain(key.id)
      expect(text).not.toContain(key.token.split('_')[1])
    }
    expect(entry.body.response.body.token).toBe('[redacted]')
  })

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['empty texts', { description: '', metadata: '' }],
    ['nulls', { description: null, metadata: null, owner_id: null }],
  ])('is created from %s, and omits unset fields', async (_, body) => {
    const created = await call('POST', '/api_keys', body)
    expect(created.status).toBe(201)
    expect(Object.keys(created.body).sort()).toEqual(['created_at', 'id', 'owner_id', 'token', 'uri'])
  })

  it('keeps texts as they are: spaces, quotes, emoji, lone surrogates and NUL', async () => {
    const description = ' \t"\u{1F600}\\\u0000\ud800 '
    const { body: key } = await call('POST', '/api_keys', { description })
    expect((await call('GET', `/api_keys/${key.id}`)).body.description).toBe(description)
  })

  it('has texts limited in bytes, not in characters', async () => {
    expect((await call('POST', '/api_keys', { description: 'x'.repeat(255) })).status).toBe(201)
    expect((await call('POST', '/api_keys', { description: '€'.repeat(85) })).status).toBe(201)
    expect(expectError(await call('POST', '/api_keys', { description: '€'.repeat(86) }), 400, 604)).toMatchObject({
      msg: '"description" may have at most 255 bytes of UTF-8; received 258 bytes.',
      details: { field: 'description' },
    })
    expect((await call('POST', '/api_keys', { metadata: '\u{1F600}'.repeat(1024) })).status).toBe(201)
    expectError(await call('POST', '/api_keys', { metadata: `${'\u{1F600}'.repeat(1024)}x` }), 400, 605)
  })

  it('belongs to the caller if no owner is given', async () => {
    expect((await as('sim_member')('POST', '/api_keys')).body.owner_id).toBe('usr_member')
    expect((await as('sim_ci')('POST', '/api_keys')).body.owner_id).toBe('bot_ci')
    expect((await as('sim_member')('POST', '/api_keys', { owner_id: 'usr_member' })).body.owner_id).toBe('usr_member')
  })

  it('may be created for others by an admin', async () => {
    for (const owner_id of ['usr_member', 'bot_ci']) {
      const { status, body: key } = await call('POST', '/api_keys', { owner_id })
      expect({ status, owner_id: key.owner_id }).toEqual({ status: 201, owner_id })
      expect((await as(key.token)('POST', '/api_keys')).body.owner_id).toBe(owner_id)
    }
  })

  it('may not be created for others by anyone else', async () => {
    for (const token of ['sim_member', 'sim_ci']) {
      const { msg, details } = expectError(await as(token)('POST', '/api_keys', { owner_id: 'usr_admin' }), 403, 630)
      expect(msg).toContain('usr_admin')
      expect(details.field).toBe('owner_id')
    }
    expectError(await as('sim_member')('POST', '/api_keys', { owner_id: 'usr_nobody' }), 403, 630)
  })

  it('refuses an owner that does not exist, and names one that does', async () => {
    for (const owner_id of ['usr_nobody', 'ak_admin', 'ipp_office', '']) {
      expectError(await call('POST', '/api_keys', { owner_id }), 400, 223)
    }
    const { details } = expectError(await call('POST', '/api_keys', { owner_id: 'usr_membr' }), 400, 223)
    expect(details).toMatchObject({ field: 'owner_id', id: 'usr_membr', nearest: 'usr_member' })
  })

  it('is refused with a misspelt field, which the error names with the right one', async () => {
    const { msg, details } = expectError(await call('POST', '/api_keys', { descripton: 'x' }), 400, 214)
    expect(details).toMatchObject({ field: 'descripton', nearest: 'description' })
    expect(msg).toContain('description, metadata, owner_id')
  })

  it.each(['id', 'token', 'created_at', 'uri', '__proto__', 'constructor'])('refuses %s on create', async name => {
    const sent = `{"description":"x","${name}":"ak_mine"}`
    const headers = { 'content-type': 'application/json' }
    const { details } = expectError(await call('POST', '/api_keys', undefined, { raw: sent, headers }), 400, 214)
    expect(details.field).toBe(name)
  })

  it('changes only what an update gives', async () => {
    const { body: key } = await call('POST', '/api_keys', { description: 'a', metadata: 'b' })
    const path = `/api_keys/${key.id}`
    const shown = { ...key, token: null }
    const updated = await call('PATCH', path, { description: 'c' })
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual({ ...shown, description: 'c' })
    expect((await call('PATCH', path, { metadata: 'd' })).body).toEqual({ ...shown, description: 'c', metadata: 'd' })
    expect((await call('GET', path)).body).toEqual({ ...shown, description: 'c', metadata: 'd' })
  })

  it('unsets a text that an update gives as empty, and leaves one given as null', async () => {
    const { body: key } = await call('POST', '/api_keys', { description: 'a', metadata: 'b' })
    const updated = await call('PATCH', `/api_keys/${key.id}`, { description: '', metadata: null })
    expect(updated.body).toEqual({ ...without(key, 'description'), token: null })
    expect((await call('GET', `/api_keys/${key.id}`)).body).toEqual(updated.body)
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

  it('ignores the id in the body of an update, whatever it is', async () => {
    const { body: key } = await call('POST', '/api_keys')
    for (const id of [key.id, 'ak_admin', 7]) {
      const updated = await call('PATCH', `/api_keys/${key.id}`, { id, description: `d ${id}` })
      expect(updated.body).toMatchObject({ id: key.id, description: `d ${id}` })
    }
    expect((await call('GET', '/api_keys/ak_admin')).body.description).toBe("The admin's key")
  })

  it('keeps its owner', async () => {
    const { msg } = expectError(await call('PATCH', '/api_keys/ak_ci', { owner_id: 'usr_admin' }), 400, 214)
    expect(msg).toContain('it is set when the API key is created and cannot be changed')
    expect((await call('PATCH', '/api_keys/ak_ci', { owner_id: null })).status).toBe(200)
    expect((await call('GET', '/api_keys/ak_ci')).body.owner_id).toBe('bot_ci')
  })

  it('changes nothing when one field of an update is wrong', async () => {
    const { body: key } = await call('POST', '/api_keys', { description: 'a' })
    expectError(await call('PATCH', `/api_keys/${key.id}`, { description: 'b', metadata: 7 }), 400, 215)
    expect((await call('GET', `/api_keys/${key.id}`)).body.description).toBe('a')
  })

  it('is listed without its token and without unset fields', async () => {
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

  it('answers the first delete with 204 and the second with 404', async () => {
    const { body: key } = await call('POST', '/api_keys')
    const deleted = await call('DELETE', `/api_keys/${key.id}`)
    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect(deleted.headers.get('content-type')).toBeNull()
    expectError(await call('DELETE', `/api_keys/${key.id}`), 404, 404)
    expectError(await call('PATCH', `/api_keys/${key.id}`, {}), 404, 404)
    const { body: list } = await call('GET', '/api_keys')
    expect(list.keys.map(({ id }: { id: string }) => id)).not.toContain(key.id)
  })

  it('may delete itself', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expect((await as(key.token)('DELETE', `/api_keys/${key.id}`)).status).toBe(204)
    expectError(await as(key.token)('DELETE', `/api_keys/${key.id}`), 401, 203)
  })

  it('that does not exist is answered with the nearest id', async () => {
    const { msg, details } = expectError(await call('GET', '/api_keys/ak_admn'), 404, 404)
    expect(msg).toContain('Did you mean ak_admin?')
    expect(details).toMatchObject({ id: 'ak_admn', nearest: 'ak_admin' })
  })

  it('distinguishes an id of another kind from what is not an id', async () => {
    expectError(await call('GET', '/api_keys/ipx_dashboard'), 404, 227)
    for (const id of ['admin', 'ak_', 'AK_admin', 'ak_a%20b', '%00', '..%2Fak_admin']) {
      expectError(await call('GET', `/api_keys/${id}`), 404, 222)
    }
  })

  it('is found by its percent-encoded id', async () => {
    expect((await call('GET', '/api_keys/%61k_admin')).body.id).toBe('ak_admin')
  })

  it('has uris at the address the client called', async () => {
    const host = ['Host: api.localhost:8080']
    const { body: key } = await raw.request({ target: '/api_keys/ak_admin', without: ['host'], headers: host })
    expect(key.uri).toBe('http://api.localhost:8080/api_keys/ak_admin')
  })

  it('has uris at the base URL the simulator was started with', async () => {
    const { body: list } = await rawClient(published.port).request({ target: '/api_keys?limit=1' })
    expect(list).toMatchObject({
      keys: [{ uri: 'https://api.example/v2/api_keys/ak_ci' }],
      uri: 'https://api.example/v2/api_keys',
      next_page_uri: 'https://api.example/v2/api_keys?before_id=ak_ci&limit=1',
    })
  })

  it('is created at the time of the clock, in whole seconds', async () => {
    const { body: key, headers } = await frozen.call('POST', '/api_keys')
    expect(key.created_at).toBe('2026-05-06T05:08:09Z')
    expect(headers.get('date')).toBe('Wed, 06 May 2026 05:08:09 GMT')
  })
})

function without(body: Record<string, unknown>, name: string) {
  const { [name]: _left, ...rest } = body
  return rest
}
