import { describe, expect, it } from 'vitest'
import { expectError, operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

describe('Authentication', async () => {
  const { call, as } = await simulate()
  const authorized = (authorization: string) =>
    call('GET', '/api_keys', undefined, { token: null, headers: { authorization } })

  it('requires a token', async () => {
    for (const response of [await as(null)('GET', '/api_keys'), await authorized(''), await authorized('  ')]) {
      const { msg } = expectError(response, 401, 200)
      expect(msg).toContain('Authorization: Bearer')
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    }
  })

  const malformed = ['Bearer', 'Bearer ', 'sim_admin', 'Bearer sim admin', 'Bearersim_admin', 'Token x']
  it.each(malformed)('rejects the header %j', async header => {
    expectError(await authorized(header), 401, 201)
  })

  it('repeats only the first word of an invalid header', async () => {
    const { msg } = expectError(await authorized('Digest c2VjcmV0'), 401, 201)
    expect(msg).toContain('"Digest"')
    expect(msg).not.toContain('c2VjcmV0')
  })

  const wellFormed = ['bearer sim_admin', 'BEARER   sim_admin', 'Bearer sim_admin  ', 'Bearer sim_admin~default']
  it.each(wellFormed)('accepts the header %j', async header => {
    expect((await authorized(header)).status).toBe(200)
  })

  const notCredentials = ['sim@admin', 'sim/admin', 'a=b', '"sim_admin"', '<API_KEY>', '$TOKEN', '~default']
  it.each(notCredentials)('rejects %j, which is not a credential', async token => {
    const { msg } = expectError(await as(token)('GET', '/api_keys'), 401, 202)
    expect(msg).not.toContain(token)
  })

  const unknown = ['nobody', 'sim_admin_', 'SIM_ADMIN', 'ak_nobody', `${'x'.repeat(27)}_${'y'.repeat(48)}`, '__proto__']
  it.each(unknown)('rejects the unknown token %s', async token => {
    const { msg, details } = expectError(await as(token)('GET', '/api_keys'), 401, 203)
    expect(details.sandbox).toBe('default')
    expect(msg).not.toContain(token)
  })

  it('reports that a key id was sent instead of a token', async () => {
    const { body: key } = await call('POST', '/api_keys')
    for (const id of ['ak_admin', key.id]) {
      const { msg } = expectError(await as(id)('GET', '/api_keys'), 401, 208)
      expect(msg).toContain('not its token')
    }
    await call('DELETE', `/api_keys/${key.id}`)
    expectError(await as(key.id)('GET', '/api_keys'), 401, 203)
  })

  it('accepts neither the hash of a token nor half of a token', async () => {
    const { body: state } = await call('GET', '/_sim/state')
    const [{ token_sha256 }] = state.api_keys
    expect(token_sha256).toMatch(/^[0-9a-f]{64}$/)
    expectError(await as(token_sha256)('GET', '/api_keys'), 401, 203)
    const { body: key } = await call('POST', '/api_keys')
    expectError(await as(key.token.split('_')[0])('GET', '/api_keys'), 401, 203)
  })

  it('accepts every token in the fixture, as its owner', async () => {
    const owners = { sim_admin: 'usr_admin', sim_member: 'usr_member', sim_ci: 'bot_ci' }
    for (const [token, owner] of Object.entries(owners)) {
      const response = await as(token)('GET', '/api_keys')
      const { body: entry } = await call('GET', `/_sim/requests/${operationOf(response)}`)
      expect(entry.caller).toMatchObject({ id: owner })
      expect(JSON.stringify(entry)).not.toContain(token)
    }
  })

  describe('with Basic', () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

    const pairs = [':sim_member', 'api:sim_member', 'a name:sim_member', 'é:sim_member', 'x:sim_member~default']
    it.each(pairs)('reads the token from the password of %j', async text => {
      const response = await authorized(basic(text))
      expect(response.status).toBe(200)
      const { body: entry } = await call('GET', `/_sim/requests/${operationOf(response)}`)
      expect(entry.caller).toMatchObject({ id: 'usr_member' })
      expect(entry.request.headers.authorization).toBe('[redacted]')
    })

    it.each(['basic', 'BASIC  '])('accepts %j as Basic', async scheme => {
      const [, encoded] = basic('x:sim_admin').split(' ')
      expect((await authorized(`${scheme} ${encoded} `)).status).toBe(200)
    })

    it('selects the sandbox by the name after the tilde', async () => {
      const headers = { authorization: basic('x:sim_ci~by-password') }
      const created = await call('POST', '/api_keys', {}, { token: null, headers })
      expect(created).toMatchObject({ status: 201, body: { owner_id: 'bot_ci' } })
      expect(created.body.token).toMatch(/~by-password$/)
      const { body } = await call('GET', '/_sim/sandboxes/by-password/requests')
      expect(body.requests).toMatchObject([{ operation: 'create_api_key', sandbox: 'by-password' }])
    })

    it.each([
      ['Basic', '"Basic" is followed by nothing'],
      ['Basic !!!', '"Basic" is not followed by base64'],
      ['Basic c2ltX2FkbWlu Og==', '"Basic" is not followed by base64'],
      [basic('x:sim_admin').replaceAll('=', ''), '"Basic" is not followed by base64'],
      [basic('sim_admin'), 'a string without a colon'],
      [basic('sim_admin:'), 'an empty password'],
    ])('rejects the header %j', async (header, says) => {
      const response = await authorized(header)
      const { msg } = expectError(response, 401, 201)
      expect(msg).toContain(says)
      expect(msg).not.toContain('sim_admin')
      expect(msg).not.toContain(header.slice(6) || 'nothing to hide')
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
    })

    it.each([
      ['x:sim:admin', 202],
      ['x:sim admin', 202],
      ['x: sim_admin', 202],
      ['x:sim\u0000', 202],
      ['x:nobody', 203],
      ['x:ak_admin', 208],
    ])('rejects %j like the same token with Bearer', async (text, code) => {
      expectError(await authorized(basic(text)), 401, code)
    })
  })

  it('is checked before the version, the body and the id', async () => {
    const options = { token: null, version: null, raw: 'no JSON' }
    expectError(await call('POST', '/api_keys', {}, options), 401, 200)
    expectError(await call('PATCH', '/api_keys/nonsense', {}, options), 401, 200)
  })
})
