import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const PATTERN = '[a-z0-9][a-z0-9_-]{0,63}'

describe('A sandbox', async () => {
  const { call, as, sandboxes } = await simulate()
  const idsOf = async (token: string) =>
    (await as(token)('GET', '/api_keys')).body.keys.map(({ id }: { id: string }) => id)

  it('is created on first use from the launch fixture', async () => {
    expect(sandboxes.get('first')).toBeUndefined()
    expect(await idsOf('sim_admin~first')).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
    expect(sandboxes.get('first')?.name).toBe('first')
  })

  it('is created by every token in the launch fixture', async () => {
    for (const token of ['sim_member~by-member', 'sim_ci~by-ci', 'sim_admin~by-member'])
      expect((await as(token)('GET', '/api_keys')).status).toBe(200)
  })

  it('is not created by a wrong token', async () => {
    const before = sandboxes.list().length
    for (const token of ['nobody~none', 'sim_admi~none', 'ak_admin~none', '~none'])
      expect((await as(token)('GET', '/api_keys')).status).toBe(401)
    expect(expectError(await as('nobody~none')('GET', '/api_keys'), 401, 203).details.sandbox).toBe('none')
    expect(sandboxes.get('none')).toBeUndefined()
    expect(sandboxes.list()).toHaveLength(before)
  })

  it('is not created by a key created after the launch', async () => {
    const { body: key } = await call('POST', '/api_keys')
    expectError(await as(`${key.token}~later`)('GET', '/api_keys'), 401, 203)
    expect(sandboxes.get('later')).toBeUndefined()
  })

  it('has its own state', async () => {
    const { body: mine } = await as('sim_admin~mine')('POST', '/api_keys')
    await as('sim_admin~mine')('DELETE', '/api_keys/ak_ci')
    await as('sim_admin~mine')('PATCH', '/ip_restrictions/ipx_dashboard', { enforced: true })
    await as('sim_admin~mine')('DELETE', '/edges/tcp/edgtcp_database/ip_restriction')
    for (const other of ['sim_admin', 'sim_admin~yours']) {
      const ids = await idsOf(other)
      expect(ids).toContain('ak_ci')
      expect(ids).not.toContain(mine.id)
      expect((await as(other)('GET', '/ip_restrictions/ipx_dashboard')).body.enforced).toBe(false)
      expect((await as(other)('GET', '/edges/tcp/edgtcp_database/ip_restriction')).status).toBe(200)
      expectError(await as(other)('GET', `/api_keys/${mine.id}`), 404, '')
    }
    expect(await idsOf('sim_admin~mine')).toEqual([mine.id, 'ak_member', 'ak_admin'])
  })

  it('creates tokens that contain its name and work only there', async () => {
    const { body: key } = await as('sim_admin~here')('POST', '/api_keys')
    expect(key.token).toMatch(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}~here$/)
    expect(await idsOf(key.token)).toContain(key.id)
    const secret = key.token.split('~')[0]
    await as('sim_admin~there')('GET', '/api_keys')
    for (const token of [secret, `${secret}~default`, `${secret}~there`])
      expectError(await as(token)('GET', '/api_keys'), 401, 203)
  })

  it('rejects a fixture token after its key is deleted there', async () => {
    await as('sim_admin~revoked')('DELETE', '/api_keys/ak_member')
    expectError(await as('sim_member~revoked')('GET', '/api_keys'), 401, 203)
    expect((await as('sim_member')('GET', '/api_keys')).status).toBe(200)
  })

  it.each(['', ...'A Checkout -a _a a.b a~b a/b'.split(' '), 'x'.repeat(65)])('cannot be called "%s"', async name => {
    const before = sandboxes.list().length
    const { msg } = expectError(await as(`sim_admin~${name}`)('GET', '/api_keys'), 401, 202)
    expect(msg).toContain(PATTERN)
    expect(sandboxes.list()).toHaveLength(before)
  })

  it.each(['a', '0', 'checkout-7', 'a_b', 'x'.repeat(64), 'constructor'])('can be called "%s"', async name => {
    expect((await as(`sim_admin~${name}`)('GET', '/api_keys')).status).toBe(200)
    expect(sandboxes.get(name)).toBeDefined()
  })

  it('called default is the sandbox without a name', async () => {
    const { body: key } = await as('sim_admin~default')('POST', '/api_keys')
    expect(key.token).not.toContain('~')
    expect(await idsOf('sim_admin')).toContain(key.id)
  })

  it('records wrong tokens that name it, and default records the others', async () => {
    await as('sim_admin~known')('GET', '/api_keys')
    const sandboxOf = async (token: string | null) => {
      const { details } = (await as(token)('GET', '/api_keys')).body
      return (await call('GET', `/_sim/requests/${details.operation_id}`)).body.sandbox
    }
    expect(await sandboxOf('nobody~known')).toBe('known')
    for (const token of ['nobody~unknown', 'nobody', 'sim_admin~Bad', null])
      expect(await sandboxOf(token)).toBe('default')
  })
})

describe('With --max-sandboxes, a sandbox', async () => {
  const { as, sandboxes } = await simulate({ maxSandboxes: 3 })

  it('beyond the limit is rejected, and existing ones continue to work', async () => {
    for (const name of ['one', 'two']) expect((await as(`sim_admin~${name}`)('GET', '/api_keys')).status).toBe(200)
    const { msg, details } = expectError(await as('sim_admin~three')('GET', '/api_keys'), 503, 503)
    expect(msg).toContain('--max-sandboxes')
    expect(details.sandbox).toBe('three')
    expect(sandboxes.get('three')).toBeUndefined()
    expectError(await as('nobody~three')('GET', '/api_keys'), 401, 203)
    for (const token of ['sim_admin', 'sim_admin~one', 'sim_admin~two'])
      expect((await as(token)('POST', '/api_keys')).status).toBe(201)
  })
})

describe('With a seed, a sandbox', async () => {
  const { as } = await simulate({ seed: 7, clock: '2026-01-01T00:00:00Z' })
  const create = async (token: string) => (await as(token)('POST', '/api_keys')).body

  it('generates the same values in every version, whatever other sandboxes do', async () => {
    const { id: other } = await create('sim_admin~b')
    await create('sim_admin')
    const { id, token } = await create('sim_admin~a')
    expect({ id, token }).toEqual({
      id: 'ak_PGRYAml2xoAfBt2An37I4QGe9iz',
      token: 'PGRYAml2xoAfBt2An37I4QGe9iz_PszikvjnP6IFJfN2h37LC~a',
    })
    expect(other).not.toBe(id)
  })
})
