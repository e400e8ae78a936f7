import { Ngrok } from '@ngrok/ngrok-api'
import { describe, expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'

/** The SDK fails to read the empty body of a 204, although the delete was carried out. */
const done = (deletion: Promise<unknown>) => expect(deletion).rejects.toThrow(SyntaxError)

describe('The vendor’s TypeScript SDK', async () => {
  const { url, token, as, call } = await simulate({ vendor: 'ngrok' })
  const sdk = (apiToken: string, baseUrl = url) => new Ngrok({ apiToken, baseUrl })
  const { apiKeys, ipRestrictions, edgeModules } = sdk(token!)
  const { tcpEdgeIpRestrictionModule: tcp, edgeRouteRequestHeadersModule: headers } = edgeModules
  const notFound = {
    statusCode: 404,
    errorCode: expect.stringMatching(/^ERR_(NGROK|EDGESIM)_\d+$/),
    msg: expect.any(String),
  }

  it('creates, gets, updates and deletes an API key', async () => {
    const created = await apiKeys.create({ description: 'from the SDK', metadata: '{"a":1}' })
    expect(created).toMatchObject({ description: 'from the SDK', metadata: '{"a":1}', ownerId: 'usr_admin' })
    expect(created.token).toMatch(/^\w{27}_\w{21}$/)
    expect(await apiKeys.get(created.id)).toEqual({ ...created, token: null })
    const updated = await apiKeys.update({ id: created.id, description: 'renamed' })
    expect(updated).toEqual({ ...created, description: 'renamed', token: null })
    await done(apiKeys.delete(created.id))
    await expect(apiKeys.get(created.id)).rejects.toMatchObject(notFound)
  })

  it('creates a key for a bot, whose token works', async () => {
    const created = await apiKeys.create({ ownerId: 'bot_ci' })
    expect(created.ownerId).toBe('bot_ci')
    expect((await sdk(created.token!).apiKeys.get(created.id)).id).toBe(created.id)
  })

  it('lists all API keys, page by page', async () => {
    const sandbox = sdk(`${token}~sdk-paging`).apiKeys
    const created: string[] = []
    for (let i = 0; i < 7; i++) created.unshift((await sandbox.create({ description: `${i}` })).id)
    const all = await sandbox.list(undefined, '3')
    expect(all.map(({ id }) => id)).toEqual([...created, 'ak_ci', 'ak_member', 'ak_admin'])
    expect(all.every(key => key.token === null)).toBe(true)
    expect((await sandbox.list(created[4])).map(({ id }) => id)).toEqual(all.slice(5).map(({ id }) => id))
    expect(await sandbox.list()).toEqual(all)
  })

  it('creates, gets, updates and deletes an IP restriction', async () => {
    const created = await ipRestrictions.create({ type: 'agent', enforced: true, ipPolicyIds: ['ipp_office'] })
    expect(created).toEqual({
      id: expect.stringMatching(/^ipx_/),
      uri: `${url}/ip_restrictions/${created.id}`,
      createdAt: expect.any(String),
      type: 'agent',
      enforced: true,
      ipPolicies: [{ id: 'ipp_office', uri: `${url}/ip_policies/ipp_office` }],
    })
    expect(await ipRestrictions.get(created.id)).toEqual(created)
    const updated = await ipRestrictions.update({ id: created.id, metadata: 'x', ipPolicyIds: ['ipp_local'] })
    expect(updated).toMatchObject({ metadata: 'x', enforced: true, ipPolicies: [{ id: 'ipp_local' }] })
    await done(ipRestrictions.delete(created.id))
    await expect(ipRestrictions.get(created.id)).rejects.toMatchObject(notFound)
  })

  it('lists all IP restrictions, page by page', async () => {
    const sandbox = sdk(`${token}~sdk-paging`).ipRestrictions
    const created: string[] = []
    for (const type of ['agent', 'api', 'dashboard'])
      created.unshift((await sandbox.create({ type, enforced: false, ipPolicyIds: [] })).id)
    const ids = (await sandbox.list(undefined, '1')).map(({ id }) => id)
    expect(ids).toEqual([...created, 'ipx_endpoints', 'ipx_dashboard'])
  })

  it('replaces, gets and deletes the IP restriction module of a TCP edge', async () => {
    const id = 'edgtcp_ssh'
    const module = await tcp.replace({ id, module: { ipPolicyIds: ['ipp_local', 'ipp_office'] } })
    expect(module).toMatchObject({ enabled: true, ipPolicies: [{ id: 'ipp_local' }, { id: 'ipp_office' }] })
    expect(await tcp.get(id)).toEqual(module)
    await done(tcp.delete(id))
    await expect(tcp.get(id)).rejects.toMatchObject(notFound)
  })

  it('replaces, gets and deletes the request headers module of an HTTPS edge route', async () => {
    const route = { edgeId: 'edghts_web', id: 'edghtsrt_static' }
    const module = { enabled: false, add: { a: '1' } as unknown as Map<string, string>, remove: ['Cookie'] }
    const replaced = await headers.replace({ ...route, module })
    expect(replaced).toEqual({ enabled: false, add: { a: '1' }, remove: ['Cookie'] })
    expect(await headers.get(route)).toEqual(replaced)
    await done(headers.delete(route))
    await expect(headers.get(route)).rejects.toMatchObject(notFound)
  })

  it('rewrites header names in add before it sends them, and they are kept as sent', async () => {
    const route = { edgeId: 'edghts_web', id: 'edghtsrt_api' }
    const add = { 'X-Edge': 'one' } as unknown as Map<string, string>
    await headers.replace({ ...route, module: { add, remove: [] } })
    const path = `/edges/https/${route.edgeId}/routes/${route.id}/request_headers`
    expect((await call('GET', path)).body.add).toEqual({ '_x-_edge': 'one' })
  })

  it('reads the message of an error', async () => {
    const refused = await apiKeys.create({ description: 'é'.repeat(128) }).catch(error => error)
    expect(refused).toMatchObject({ statusCode: 400, errorCode: 'ERR_NGROK_604' })
    expect(refused.details.get('field')).toBe('description')
    expect(refused.details.get('operationId')).toMatch(/^op_/)
    await expect(sdk('wrong').apiKeys.list()).rejects.toMatchObject({ statusCode: 401, errorCode: 'ERR_NGROK_203' })
  })

  it('works with a base URL that ends in a slash', async () => {
    expect((await sdk(token!, `${url}/`).apiKeys.get('ak_admin')).id).toBe('ak_admin')
  })

  it('stays in the sandbox its token names', async () => {
    await done(sdk(`${token}~sdk-alone`).apiKeys.delete('ak_ci'))
    expect((await as(`${token}~sdk-alone`)('GET', '/api_keys/ak_ci')).status).toBe(404)
    expect((await apiKeys.get('ak_ci')).id).toBe('ak_ci')
  })
})
