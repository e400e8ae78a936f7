import { describe, expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

describe('An IP restriction', async () => {
  const { call, url } = await simulate()
  const ref = (id: string) => ({ id, uri: `${url}/ip_policies/${id}` })
  const create = async (body: Record<string, unknown> = {}) =>
    (await call('POST', '/ip_restrictions', { type: 'agent', ...body })).body

  it('is answered on create with everything that was given', async () => {
    const created = await call('POST', '/ip_restrictions', {
      description: 'Office only',
      metadata: '{"team":"ops"}',
      enforced: true,
      type: 'endpoints',
      ip_policy_ids: ['ipp_office', 'ipp_blocked'],
    })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.stringMatching(/^ipx_[0-9A-Za-z]{27}$/),
      uri: `${url}/ip_restrictions/${created.body.id}`,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      description: 'Office only',
      metadata: '{"team":"ops"}',
      enforced: true,
      type: 'endpoints',
      ip_policies: [ref('ipp_office'), ref('ipp_blocked')],
    })
    const got = await call('GET', `/ip_restrictions/${created.body.id}`)
    expect({ status: got.status, body: got.body }).toEqual({ status: 200, body: created.body })
  })

  it.each([
    ['the type alone', { type: 'dashboard' }],
    ['empty texts and an empty list', { type: 'dashboard', description: '', metadata: '', ip_policy_ids: [] }],
    ['enforced false', { type: 'dashboard', enforced: false }],
    ['nulls', { type: 'dashboard', description: null, metadata: null, enforced: null, ip_policy_ids: null }],
  ])('is created from %s, and omits unset fields', async (_, body) => {
    const created = await call('POST', '/ip_restrictions', body)
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      uri: expect.any(String),
      created_at: expect.any(String),
      enforced: false,
      type: 'dashboard',
      ip_policies: [],
    })
  })

  it.each(['dashboard', 'api', 'agent', 'endpoints'])('may have the type %s', async type => {
    expect((await create({ type })).type).toBe(type)
  })

  it.each([
    ['no type', {}],
    ['a null type', { type: null }],
    ['no body', undefined],
    ['an empty type', { type: '' }],
    ['an unknown type', { type: 'Api' }],
    ['a name every object has', { type: 'constructor' }],
  ])('refuses the type %s, and names the four that exist', async (_, body) => {
    const { msg, details } = expectError(await call('POST', '/ip_restrictions', body), 400, 1803)
    expect(msg).toContain('dashboard, api, agent, endpoints')
    expect(details.field).toBe('type')
  })

  it('refuses texts that are too long', async () => {
    const type = 'agent'
    const description = await call('POST', '/ip_restrictions', { type, description: 'é'.repeat(128) })
    expect(expectError(description, 400, 215)).toMatchObject({
      msg: '"description" must be at most 255 bytes of UTF-8; received 256 bytes.',
      details: { field: 'description' },
    })
    const metadata = await call('POST', '/ip_restrictions', { type, metadata: 'x'.repeat(4097) })
    expect(expectError(metadata, 400, 215).details.field).toBe('metadata')
    const longest = await create({ description: `x${'é'.repeat(127)}`, metadata: 'é'.repeat(2048) })
    expect(longest.metadata).toHaveLength(2048)
  })

  it.each([
    ['enforced', 'true'],
    ['enforced', 1],
    ['description', {}],
    ['ip_policy_ids', 'ipp_office'],
    ['ip_policy_ids', { 0: 'ipp_office' }],
    ['type', 1],
  ])('refuses %s of a wrong type: %j', async (field, value) => {
    const answer = await call('POST', '/ip_restrictions', { type: 'agent', [field]: value })
    expect(expectError(answer, 400, 215).details.field).toBe(field)
  })

  it('says which item of a list is not an id', async () => {
    const answer = await call('POST', '/ip_restrictions', { type: 'agent', ip_policy_ids: ['ipp_office', 7] })
    expect(expectError(answer, 400, 215)).toMatchObject({
      msg: '"ip_policy_ids[1]" must be a string; received the number 7.',
      details: { field: 'ip_policy_ids[1]' },
    })
  })

  it('keeps a policy that is named twice only at its first place', async () => {
    const ip_policy_ids = ['ipp_local', 'ipp_office', 'ipp_local', 'ipp_office']
    const created = await create({ ip_policy_ids })
    expect(created.ip_policies).toEqual([ref('ipp_local'), ref('ipp_office')])
    const updated = await call('PATCH', `/ip_restrictions/${created.id}`, { ip_policy_ids: ip_policy_ids.toReversed() })
    expect(updated.body.ip_policies).toEqual([ref('ipp_office'), ref('ipp_local')])
  })

  it('refuses a policy that does not exist, and names one that does', async () => {
    const body = { type: 'agent', ip_policy_ids: ['ipp_local', 'ipp_ofice'] }
    const { msg, details } = expectError(await call('POST', '/ip_restrictions', body), 400, 1801)
    expect(msg).toContain('Did you mean ipp_office?')
    expect(details).toMatchObject({ field: 'ip_policy_ids', id: 'ipp_ofice', nearest: 'ipp_office' })
    const { id } = await create()
    expectError(await call('PATCH', `/ip_restrictions/${id}`, { ip_policy_ids: ['usr_admin'] }), 400, 229)
    expectError(await call('PATCH', `/ip_restrictions/${id}`, { ip_policy_ids: ['__proto__'] }), 400, 229)
  })

  it('accepts ip_policy_ids, but not ip_policies', async () => {
    const answer = await call('POST', '/ip_restrictions', { type: 'agent', ip_policies: [] })
    expect(expectError(answer, 400, 214).details).toMatchObject({ field: 'ip_policies' })
  })

  it('changes only what an update gives', async () => {
    const created = await create({ description: 'a', metadata: 'b', enforced: true, ip_policy_ids: ['ipp_office'] })
    const path = `/ip_restrictions/${created.id}`
    const steps: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ description: 'c' }, { description: 'c' }],
      [{ metadata: 'd' }, { description: 'c', metadata: 'd' }],
      [{ enforced: false }, { description: 'c', metadata: 'd', enforced: false }],
      [
        { ip_policy_ids: ['ipp_local'] },
        { description: 'c', metadata: 'd', enforced: false, ip_policies: [ref('ipp_local')] },
      ],
      [
        { description: null, enforced: null, ip_policy_ids: null, type: null },
        { description: 'c', metadata: 'd', enforced: false, ip_policies: [ref('ipp_local')] },
      ],
    ]
    for (const [body, changed] of steps) {
      const updated = await call('PATCH', path, body)
      expect({ status: updated.status, body: updated.body }).toEqual({ status: 200, body: { ...created, ...changed } })
      expect((await call('GET', path)).body).toEqual(updated.body)
    }
  })

  it('unsets texts that an update gives as empty', async () => {
    const { description: _d, metadata: _m, ...rest } = await create({ description: 'a', metadata: 'b' })
    const updated = await call('PATCH', `/ip_restrictions/${rest.id}`, { description: '', metadata: '' })
    expect(updated.body).toEqual(rest)
  })

  it('loses its policies if an update gives an empty list', async () => {
    const created = await create({ ip_policy_ids: ['ipp_office'] })
    const updated = await call('PATCH', `/ip_restrictions/${created.id}`, { ip_policy_ids: [] })
    expect(updated.body).toEqual({ ...created, ip_policies: [] })
  })

  it('keeps its type', async () => {
    const { id } = await create({ type: 'agent' })
    const { msg } = expectError(await call('PATCH', `/ip_restrictions/${id}`, { type: 'agent' }), 400, 214)
    expect(msg).toContain('it is set when the IP restriction is created and cannot be changed')
  })

  it('ignores the id in the body of an update', async () => {
    const created = await create()
    const updated = await call('PATCH', `/ip_restrictions/${created.id}`, { id: 'ipx_other', enforced: true })
    expect(updated.body).toEqual({ ...created, enforced: true })
  })

  it('is listed without unset fields', async () => {
    const { body: list } = await call('GET', '/ip_restrictions', undefined, { token: 'sim_admin~listing' })
    expect(list).toEqual({
      ip_restrictions: [
        {
          id: 'ipx_endpoints',
          uri: `${url}/ip_restrictions/ipx_endpoints`,
          created_at: '2026-01-05T09:00:00Z',
          enforced: true,
          type: 'endpoints',
          ip_policies: [ref('ipp_office'), ref('ipp_local'), ref('ipp_blocked')],
        },
        {
          id: 'ipx_dashboard',
          uri: `${url}/ip_restrictions/ipx_dashboard`,
          created_at: '2026-01-04T09:00:00Z',
          description: 'Dashboard from the office',
          enforced: false,
          type: 'dashboard',
          ip_policies: [ref('ipp_office')],
        },
      ],
      uri: `${url}/ip_restrictions`,
      next_page_uri: null,
    })
  })

  it('answers the first delete with 204 and the second with 404', async () => {
    const { id } = await create()
    expect(await call('DELETE', `/ip_restrictions/${id}`)).toMatchObject({ status: 204, text: '' })
    expectError(await call('DELETE', `/ip_restrictions/${id}`), 404, 404)
    expectError(await call('GET', `/ip_restrictions/${id}`), 404, 404)
  })

  it('may be managed by a caller who is not an admin', async () => {
    const how = { token: 'sim_member' }
    const { status, body } = await call('POST', '/ip_restrictions', { type: 'agent' }, how)
    expect(status).toBe(201)
    expect((await call('DELETE', `/ip_restrictions/${body.id}`, undefined, how)).status).toBe(204)
  })

  it('distinguishes an id of another kind from what is not an id', async () => {
    expectError(await call('GET', '/ip_restrictions/ak_admin'), 404, 227)
    expectError(await call('GET', '/ip_restrictions/1'), 404, 222)
  })
})
