import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'

const rules = (allow: string[], deny: string[] = []) => [
  ...allow.map(cidr => ({ action: 'allow', cidr })),
  ...deny.map(cidr => ({ action: 'deny', cidr })),
]

const fixture = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
  ip_policies: [
    { id: 'ipp_here', rules: rules(['127.0.0.0/8', '::1/128']) },
    { id: 'ipp_ten', rules: rules(['10.0.0.0/8']) },
    { id: 'ipp_not_six', rules: rules([], ['10.6.0.0/16']) },
    { id: 'ipp_docs', rules: rules(['2001:db8::/32']) },
  ],
}

/** A sandbox per test: an enforced restriction also rejects the call that would lift it. */
function sandboxIn({ call }: Simulated, name: string) {
  const token = `sim_admin~${name}`
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, path, body, { token, headers })
  async function restrict(ip_policy_ids: string[], more: Record<string, unknown> = {}) {
    const response = await send('POST', '/ip_restrictions', { type: 'api', enforced: true, ip_policy_ids, ...more })
    expect(response.status).toBe(201)
    return response.body.id as string
  }
  const from = (source: string) => send('GET', '/api_keys', undefined, { 'x-forwarded-for': source })
  const entryOf = async (response: { headers: Headers }) =>
    (await call('GET', `/_sim/sandboxes/${name}/requests/${response.headers.get('edgesim-operation-id')}`)).body
  const reset = async () => expect((await call('POST', `/_sim/sandboxes/${name}/reset`)).status).toBe(204)
  return { send, restrict, from, entryOf, reset }
}

describe('A restriction of type api', async () => {
  const warnings: string[] = []
  const onEvent = (event: { type: string; data: unknown }) =>
    event.type === 'warning' && warnings.push((event.data as { text: string }).text)
  const simulated = await simulate({ fixture }, { onEvent })
  let count = 0
  const sandbox = () => sandboxIn(simulated, `source-${++count}`)

  it('rejects a source that no policy allows, starting with the next call', async () => {
    const { send, restrict, entryOf } = sandbox()
    const id = await restrict(['ipp_ten'])
    const response = await send('GET', '/api_keys')
    const { msg } = expectError(response, 403, 220)
    expect(msg).toContain(id)
    expect(msg).toContain('127.0.0.1')
    expect(await entryOf(response)).toMatchObject({
      operation: 'list_api_keys',
      source_ip: '127.0.0.1',
      status: 403,
      change: null,
      explanation: { decided_by: 'source_blocked', section: '4.2' },
    })
  })

  it.each<[string, string[], Record<string, unknown>]>([
    ['a source that a policy allows', ['ipp_here'], {}],
    ['a source that a policy allows, if not enforced', ['ipp_here'], { enforced: false }],
    ['every source, without policies', [], {}],
    ['a source that a dashboard restriction rejects', ['ipp_ten'], { type: 'dashboard' }],
    ['a source that an agent restriction rejects', ['ipp_ten'], { type: 'agent' }],
    ['a source that an endpoints restriction rejects', ['ipp_ten'], { type: 'endpoints' }],
  ])('accepts without a warning %s', async (_, policies, more) => {
    const { send, restrict, entryOf } = sandbox()
    await restrict(policies, more)
    const response = await send('GET', '/api_keys')
    expect(response.status).toBe(200)
    expect((await entryOf(response)).warnings).toEqual([])
  })

  it('rejects every operation, including the one that would lift it', async () => {
    const { send, restrict, reset } = sandbox()
    const id = await restrict(['ipp_ten'])
    expectError(await send('DELETE', `/ip_restrictions/${id}`), 403, 220)
    expectError(await send('POST', '/api_keys', { unknown: 1 }), 403, 220)
    expectError(await send('GET', '/edges/tcp/edgtcp_none/ip_restriction'), 403, 220)
    await reset()
    expect((await send('GET', '/api_keys')).status).toBe(200)
  })

  it('is checked after the token and the version', async () => {
    const { restrict } = sandboxIn(simulated, 'order')
    await restrict(['ipp_ten'])
    const { call } = simulated
    expectError(await call('GET', '/api_keys', undefined, { token: 'nobody~order' }), 401, 203)
    expectError(await call('GET', '/api_keys', undefined, { token: 'sim_admin~order', version: '1' }), 400, 217)
  })

  it('never restricts the control plane', async () => {
    const { restrict, entryOf, send } = sandboxIn(simulated, 'locked')
    await restrict(['ipp_ten'])
    const blocked = await send('GET', '/api_keys')
    expect(blocked.status).toBe(403)
    expect((await entryOf(blocked)).status).toBe(403)
    const { call } = simulated
    for (const path of ['/_sim/health', '/_sim/sandboxes/locked/state', '/_sim/sandboxes/locked/requests'])
      expect((await call('GET', path)).status).toBe(200)
  })

  it('that is not enforced only warns, in the journal and the log', async () => {
    const { send, restrict, entryOf } = sandbox()
    const id = await restrict(['ipp_ten'], { enforced: false })
    const response = await send('GET', '/api_keys')
    expect(response.status).toBe(200)
    const entry = await entryOf(response)
    expect(entry.warnings).toEqual([expect.stringContaining(id)])
    expect(entry.warnings[0]).toContain('127.0.0.1')
    expect(warnings).toContain(entry.warnings[0])
  })

  it('follows updates of enforced', async () => {
    const { send, restrict } = sandbox()
    const id = await restrict(['ipp_ten'], { enforced: false })
    const change = async (given: object) =>
      expect((await send('PATCH', `/ip_restrictions/${id}`, given)).status).toBe(200)
    await change({ ip_policy_ids: ['ipp_here'], enforced: true })
    expect((await send('GET', '/api_keys')).status).toBe(200)
    await change({ ip_policy_ids: ['ipp_ten'] })
    expectError(await send('GET', '/api_keys'), 403, 220)
  })

  it('ignores X-Forwarded-For unless the proxy is trusted', async () => {
    const { restrict, from } = sandbox()
    await restrict(['ipp_here'])
    expect((await from('10.0.0.1')).status).toBe(200)
    const other = sandbox()
    await other.restrict(['ipp_ten'])
    expectError(await other.from('10.0.0.1'), 403, 220)
  })
})

const FROM_TEN = { 'x-forwarded-for': '10.1.1.1' }

describe('With --trust-proxy, a restriction of type api', async () => {
  const simulated = await simulate({ fixture, trustProxy: true })
  let count = 0
  async function restricted(...policies: string[][]) {
    const sandbox = sandboxIn(simulated, `proxy-${++count}`)
    const ids = []
    for (const each of policies) ids.push(await sandbox.restrict(each, { enforced: false }))
    for (const id of ids)
      expect((await sandbox.send('PATCH', `/ip_restrictions/${id}`, { enforced: true }, FROM_TEN)).status).toBe(200)
    return { ...sandbox, ids }
  }
  const statuses = (from: (source: string) => Promise<{ status: number }>, sources: string[]) =>
    Promise.all(sources.map(async source => (await from(source)).status))

  const proxied = await restricted(['ipp_here', 'ipp_ten', 'ipp_docs'])
  it.each<[string, string, number]>([
    ['10.0.0.1', '10.0.0.1', 200],
    ['11.0.0.0', '11.0.0.0', 403],
    ['10.0.0.1, 192.0.2.1', '10.0.0.1', 200],
    [' 10.0.0.1 ,x', '10.0.0.1', 200],
    ['192.0.2.1, 10.0.0.1', '192.0.2.1', 403],
    ['::FFFF:a00:1', '10.0.0.1', 200],
    ['2001:DB8:ffff::', '2001:db8:ffff::', 200],
    ['fe80::1%eth0', 'fe80::1', 403],
    ['', '127.0.0.1', 200],
    ['unknown', '127.0.0.1', 200],
    ['10.0.0.300', '127.0.0.1', 200],
  ])('reads from X-Forwarded-For "%s" the address %s: %i', async (forwarded, source_ip, status) => {
    const response = await proxied.from(forwarded)
    expect(response.status).toBe(status)
    expect((await proxied.entryOf(response)).source_ip).toBe(source_ip)
  })

  it('is checked separately, and a source must pass all enforced ones', async () => {
    const [narrow, wide] = [['ipp_ten'], ['ipp_ten', 'ipp_docs']]
    for (const { from } of [await restricted(narrow, wide), await restricted(wide, narrow)])
      expect(await statuses(from, ['10.1.1.1', '2001:db8::1'])).toEqual([200, 403])
  })

  it('ends when it is deleted', async () => {
    const { send, from, ids } = await restricted(['ipp_ten'])
    expectError(await from('11.0.0.1'), 403, 220)
    expect((await send('DELETE', `/ip_restrictions/${ids[0]}`, undefined, FROM_TEN)).status).toBe(204)
    expect((await from('11.0.0.1')).status).toBe(200)
  })

  it('warns once per restriction that is not enforced', async () => {
    const { restrict, from, entryOf } = sandboxIn(simulated, 'warnings')
    const docs = await restrict(['ipp_docs'], { enforced: false })
    const deny = await restrict(['ipp_not_six'], { enforced: false })
    await restrict(['ipp_ten'])
    const passed = await from('10.1.1.1')
    expect(passed.status).toBe(200)
    const { warnings } = await entryOf(passed)
    expect(warnings).toEqual([expect.stringContaining(docs), expect.stringContaining(deny)])
  })
})
