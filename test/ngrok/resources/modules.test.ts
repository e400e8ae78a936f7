import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

describe('The IP restriction module of a TCP edge', async () => {
  const { call, url } = await simulate()
  const path = '/edges/tcp/edgtcp_ssh/ip_restriction'
  const ref = (id: string) => ({ id, uri: `${url}/ip_policies/${id}` })

  it('is returned as sent, with enabled and references only', async () => {
    const put = await call('PUT', path, { enabled: false, ip_policy_ids: ['ipp_office', 'ipp_blocked'] })
    const expected = { enabled: false, ip_policies: [ref('ipp_office'), ref('ipp_blocked')] }
    expect({ status: put.status, body: put.body }).toEqual({ status: 200, body: expected })
    const got = await call('GET', path)
    expect({ status: got.status, body: got.body }).toEqual({ status: 200, body: expected })
  })

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['nulls', { enabled: null, ip_policy_ids: null }],
    ['an empty module', { module: {} }],
    ['a null module', { module: null }],
    ['only the id', { id: 'edgtcp_ssh' }],
  ])('is reset to its defaults with %s', async (_, body) => {
    await call('PUT', path, { enabled: false, ip_policy_ids: ['ipp_office'] })
    const put = await call('PUT', path, body)
    expect({ status: put.status, body: put.body }).toEqual({ status: 200, body: { enabled: true, ip_policies: [] } })
  })

  it.each([
    ['flat', { ip_policy_ids: ['ipp_local'] }],
    ['flat with the id', { id: 'edgtcp_ssh', ip_policy_ids: ['ipp_local'] }],
    ['wrapped', { module: { ip_policy_ids: ['ipp_local'] } }],
    ['wrapped with the id', { id: 'edgtcp_ssh', module: { ip_policy_ids: ['ipp_local'] } }],
    ['half wrapped', { ip_policy_ids: ['ipp_local'], module: { enabled: true } }],
    ['wrapped with the id of another edge', { id: 'edgtcp_other', module: { ip_policy_ids: ['ipp_local'] } }],
  ])('accepts its fields %s', async (_, body) => {
    expect((await call('PUT', path, body)).body).toEqual({ enabled: true, ip_policies: [ref('ipp_local')] })
  })

  it('stores a duplicate policy once', async () => {
    const put = await call('PUT', path, { ip_policy_ids: ['ipp_local', 'ipp_office', 'ipp_local'] })
    expect(put.body.ip_policies).toEqual([ref('ipp_local'), ref('ipp_office')])
  })
})

describe('The request headers module of an HTTPS edge route', async () => {
  const { call } = await simulate()
  const path = '/edges/https/edghts_web/routes/edghtsrt_static/request_headers'
  const put = (body: unknown) => call('PUT', path, body)
  /** Raw JSON, because an object literal can't have a field named __proto__. */
  const putText = (raw: string) =>
    call('PUT', path, undefined, { raw, headers: { 'content-type': 'application/json' } })
  const named = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}`)
  const values = (names: string[]) => Object.fromEntries(names.map(name => [name, 'v']))

  it('is returned as sent', async () => {
    const body = { enabled: false, add: { 'X-Edge': 'a', 'x-lower': 'b', X_Under: '' }, remove: ['Cookie', 'x-Edge'] }
    const response = await put(body)
    expect({ status: response.status, body: response.body }).toEqual({ status: 200, body })
    expect(Object.keys(response.body.add)).toEqual(['X-Edge', 'x-lower', 'X_Under'])
    expect((await call('GET', path)).body).toEqual(body)
  })

  it('accepts wrapped fields next to the path ids', async () => {
    const { body } = await put({ id: 'edghtsrt_static', edge_id: 'edghts_web', module: { add: { 'X-A': '1' } } })
    expect(body).toEqual({ enabled: true, add: { 'X-A': '1' }, remove: [] })
  })

  it('does not affect the other routes of the edge', async () => {
    await put({ add: { 'X-Static': '1' } })
    const { body } = await call('GET', '/edges/https/edghts_web/routes/edghtsrt_api/request_headers')
    expect(body).toEqual({ enabled: true, add: { 'X-Edge': 'edgesim' }, remove: ['cookie'] })
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', '/edges/https/edghts_web/routes/edghtsrt_api/request_headers')).status).toBe(200)
  })

  it.each(['{"add":', '{"module":{"add":'])('accepts headers named like inherited properties, in %s', async start => {
    const add = '{"__proto__":"p","constructor":"c","toString":"t"}'
    const response = await putText(`${start}${add}${start.startsWith('{"module"') ? '}}' : '}'}`)
    const text = `{"enabled":true,"add":${add},"remove":[]}`
    expect({ status: response.status, text: response.text }).toEqual({ status: 200, text })
    expect((await call('GET', path)).text).toBe(text)
    expect((await call('GET', '/_sim/state')).text.replace(/\s/g, '')).toContain(`"add":${add}`)
  })

  it('checks the value of a header called __proto__', async () => {
    expect(expectError(await putText('{"add":{"__proto__":{"x":1}}}'), 400, 215).details.field).toBe('add.__proto__')
    expectError(await putText('{"add":{"__proto__":"é"}}'), 400, 7024)
  })

  it.each([
    [5, 'documented', undefined],
    [100, 'wide', 'header_limits=wide'],
  ])('accepts up to %i headers to add and to remove (header_limits=%s)', async (max, _, assume) => {
    const { call: send } = await simulate({ assume: assume ? [assume] : [] })
    const names = named(max)
    const response = await send('PUT', path, { add: values(names), remove: names })
    expect(Object.keys(response.body.add)).toHaveLength(max)
    expect(response.body.remove).toEqual(names)
    for (const [field, body] of [
      ['add', { add: values(named(max + 1)) }],
      ['remove', { remove: named(max + 1) }],
    ] as const) {
      const { msg, details } = expectError(await send('PUT', path, body), 400, 7015)
      expect(details.field).toBe(field)
      expect(msg).toBe(
        `"${field}" can have up to 5 headers (100 in fixtures, and with --assume header_limits=wide), got ${max + 1} headers.`,
      )
    }
    expect((await send('GET', path)).body.remove).toEqual(names)
  })

  it('rejects User-Agent in any case, unless header_limits=wide', async () => {
    const { call: send } = await simulate({ assume: { header_limits: 'wide' } })
    for (const [field, body] of [
      ['add', { add: { 'X-A': '1', 'USER-agent': 'curl/8' } }],
      ['remove', { remove: ['X-A', 'USER-agent'] }],
    ] as const) {
      const { msg, details } = expectError(await put(body), 400, 7023)
      expect(details.field).toBe(field)
      expect(msg).toContain('got the name "USER-agent"')
      expect(msg).toMatch(/User-Agent, which the module cannot change .*--assume header_limits=wide/)
      expect((await send('PUT', path, body)).body).toMatchObject(body)
    }
  })

  it('is checked by header_limits in every request, which the journal records only if relevant', async () => {
    const routes = '/edges/https/edghts_web/routes'
    const wrong = { request_headers: { add: values(named(6)) } }
    const created = await call('POST', routes, { match_type: 'exact_path', match: '/limits', ...wrong })
    expect(expectError(created, 400, 7015).details.field).toBe('request_headers.add')
    const updated = await call('PATCH', `${routes}/edghtsrt_static`, { request_headers: { remove: ['User-Agent'] } })
    expect(expectError(updated, 400, 7023).details.field).toBe('request_headers.remove')
    const assumed = async () => (await call('GET', '/_sim/requests?limit=1')).body.requests[0].assumptions
    expect(await assumed()).toContainEqual({ name: 'header_limits', value: 'documented' })
    await put({ add: { 'X-A': '1' } })
    expect(await assumed()).toEqual([])
  })

  it('can have more headers in a fixture, which are unchanged', async () => {
    const request_headers = { enabled: true, add: values(named(100)), remove: [...named(99), 'User-Agent'] }
    const https_edges = [{ id: 'edghts_a', routes: [{ id: 'edghtsrt_a', request_headers }] }]
    const { call: send } = await simulate({ fixture: { https_edges } as never })
    const response = await send('GET', '/edges/https/edghts_a/routes/edghtsrt_a/request_headers')
    expect(response.body).toEqual(request_headers)
  })

  const notNames = ['', 'X A', 'X:A', 'X-É', 'X\r\nY', 'X\u0000', '"X"', 'X(1)', 'a/b', '{x}']
  const ofConnection = ['Connection', 'keep-alive', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Content-Length']
  it.each([...notNames, ...ofConnection])('rejects %j, an invalid or hop-by-hop name', async name => {
    expect(expectError(await put({ add: { [name]: 'v' } }), 400, 7023).details.field).toBe('add')
    expect(expectError(await put({ remove: [name] }), 400, 7023).details.field).toBe('remove')
  })

  it("accepts every valid character in a header name: !#$%&'*+-.^_`|~", async () => {
    const name = "Aa0!#$%&'*+-.^_`|~"
    expect((await put({ add: { [name]: 'v' }, remove: [name] })).body).toMatchObject({
      add: { [name]: 'v' },
      remove: [name],
    })
  })

  it.each([
    'documented',
    'wide',
  ] as const)('can add Host, and remove it only if it also adds it (header_limits=%s)', async limits => {
    const { call: send } = await simulate({ assume: { header_limits: limits } })
    for (const body of [
      { add: { Host: 'upstream.example' }, remove: [] },
      { add: { host: 'x' }, remove: ['host'] },
      { add: { host: 'x' }, remove: ['HOST'] },
    ])
      expect((await send('PUT', path, body)).body).toEqual({ enabled: true, ...body })
    for (const body of [{ remove: ['HOST'] }, { remove: ['X-A', 'host'], add: { 'X-Host': 'x' } }]) {
      const { msg, details } = expectError(await send('PUT', path, body), 400, 7164)
      expect(details.field).toBe('remove')
      expect(msg).toContain('Add a Host')
    }
    expect((await send('GET', path)).body.remove).toEqual(['HOST'])
  })

  const notValues = ['a\r\nX-Evil: 1', 'a\nb', 'tab\there', ' a', 'a ', 'é', '\u0000', '\u007f']
  it.each(notValues)('rejects the value %j', async value => {
    expect(expectError(await put({ add: { 'X-A': value } }), 400, 7024).details.field).toBe('add.X-A')
  })
})
