import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { expectError, openEvents, operationOf, type TestResponse } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'
import { bytesOf, dial, forEach, pooledClient, type RawCall, rawClient } from '../support/raw-http.ts'
import { tableIn } from '../support/tables.ts'

interface Filters {
  filters: [query: string, found: number[]][]
  refused: [query: string, says: string][]
}

const { filters, refused }: Filters = tableIn(import.meta.url, 'journal.yaml')

const { call, as, port, url } = await simulate()
const entryOf = async (response: TestResponse, sandbox = 'default') =>
  (await call('GET', `/_sim/sandboxes/${sandbox}/requests/${operationOf(response)}`)).body
const journalOf = async (sandbox: string, query = '') =>
  (await call('GET', `/_sim/sandboxes/${sandbox}/requests${query}`)).body.requests

describe('A journal entry', () => {
  it('contains the request, response, caller, change and explanation', async () => {
    await call('PUT', '/_sim/sandboxes/whole')
    await call('PUT', '/_sim/sandboxes/whole/clock', { now: '2026-02-03T04:05:06Z', frozen: true })
    const body = { description: 'new', ip_policy_ids: ['ipp_office'] }
    const how = { headers: { 'user-agent': 'a client', 'x-extra': '1' } }
    const response = await as('sim_member~whole')('PATCH', '/ip_restrictions/ipx_dashboard?from=test', body, how)
    const entry = await entryOf(response, 'whole')
    expect(entry).toEqual({
      id: operationOf(response),
      seq: 1,
      at: '2026-02-03T04:05:06.000Z',
      sandbox: 'whole',
      operation: 'update_ip_restriction',
      method: 'PATCH',
      path: '/ip_restrictions/ipx_dashboard',
      query: { from: 'test' },
      status: 200,
      duration_ms: expect.any(Number),
      source_ip: '127.0.0.1',
      caller: { id: 'usr_member', key_id: 'ak_member' },
      request: { headers: expect.objectContaining({ 'user-agent': 'a client', 'x-extra': '1' }), body },
      response: {
        headers: {
          'content-type': 'application/json',
          'content-length': response.headers.get('content-length'),
          'edgesim-operation-id': operationOf(response),
          'service-operation-id': operationOf(response),
          'edgesim-instance': response.headers.get('edgesim-instance'),
          date: 'Tue, 03 Feb 2026 04:05:06 GMT',
        },
        body: response.body,
      },
      rules: [],
      assumptions: [{ name: 'unknown_query', value: 'ignore' }],
      warnings: [],
      change: {
        seq: 1,
        ops: [
          {
            table: 'ip_restrictions',
            id: 'ipx_dashboard',
            before: expect.objectContaining({ description: 'Dashboard from the office' }),
            after: expect.objectContaining({ description: 'new' }),
          },
        ],
      },
      explanation: {
        decided_by: 'operation',
        section: '4.2',
        text: expect.stringContaining('change 1'),
        nearest: null,
      },
    })
  })

  it('has no change, body or caller if there was none', async () => {
    const read = await entryOf(await call('GET', '/api_keys'))
    expect(read).toMatchObject({ change: null, request: { body: null } })
    const removed = await entryOf(await call('DELETE', '/edges/tcp/edgtcp_ssh/ip_restriction'))
    expect(removed).toMatchObject({ status: 204, change: null, response: { body: null } })
    expect((await entryOf(await as(null)('GET', '/api_keys'))).caller).toBeNull()
  })

  it('shows the row before and after a create and a delete', async () => {
    const created = await call('POST', '/ip_restrictions', { type: 'agent' })
    const { id } = created.body
    const row = expect.objectContaining({ id, type: 'agent' })
    expect((await entryOf(created)).change.ops).toEqual([{ table: 'ip_restrictions', id, before: null, after: row }])
    const removed = await entryOf(await call('DELETE', `/ip_restrictions/${id}`))
    expect(removed.change.ops).toEqual([{ table: 'ip_restrictions', id, before: row, after: null }])
  })
})

describe('The journal records', () => {
  it.each([
    ['an unknown path', () => call('GET', '/nowhere'), 404, null],
    ['an unsupported method', () => call('PUT', '/api_keys'), 405, null],
    ['a HEAD', () => fetch(`${url}/api_keys`, { method: 'HEAD' }).then(r => r as unknown as TestResponse), 405, null],
  ])('a request rejected for %s', async (_, send, status, operation) => {
    const entry = await entryOf(await send())
    expect(entry).toMatchObject({ status, operation, change: null })
    expect(entry.explanation.text.length).toBeGreaterThan(20)
  })

  it.each<[what: string, raw: string | Uint8Array, type: string, decided_by: string, recorded?: object]>([
    ['invalid JSON', '{"description":', 'application/json', 'unparsable_body'],
    ['an array', '["né"]', 'application/json', 'unparsable_body'],
    ['a form', 'a=1&b=%20', 'application/x-www-form-urlencoded', 'unsupported_content_type'],
    [
      'binary',
      Buffer.from('22ff22', 'hex'),
      'application/json',
      'unparsable_body',
      { body: 'Iv8i', encoding: 'base64' },
    ],
  ])('the unchanged content of a body that is %s', async (_, raw, type, decided_by, recorded = { body: raw }) => {
    const entry = await entryOf(await call('POST', '/api_keys', undefined, { raw, headers: { 'content-type': type } }))
    expect(entry).toMatchObject({ operation: 'create_api_key', change: null, explanation: { decided_by } })
    expect(entry.request).toEqual({ headers: expect.any(Object), ...recorded })
  })

  it('no status if the client disconnected before the response', async () => {
    const events = await openEvents(`${url}/_sim/sandboxes/default/events`)
    const { socket } = dial(port)
    const headers = ['Content-Type: application/json', 'Content-Length: 100']
    socket.write(`${bytesOf(port, { method: 'POST', path: '/api_keys?left=1', headers })}{"desc`)
    const underWay = async () => (await journalOf('default', '?method=POST&limit=1'))[0]
    let entry = await underWay()
    while (entry?.query.left !== '1') entry = await underWay()
    expect(entry).toMatchObject({ status: null, response: null, explanation: null })
    socket.destroy()
    await events.until(() => events.events.some(({ type, data }) => type === 'request' && data.query.left === '1'))
    expect(await underWay()).toMatchObject({ status: null, response: null, change: null })
    expect((await journalOf('default', '?status=null')).map(({ id }: { id: string }) => id)).toEqual([entry.id])
  })

  it('no request that the guard rejected, that is not HTTP, or that went to the control plane', async () => {
    await call('DELETE', '/_sim/requests')
    const raw = rawClient(port)
    expectError(await raw.request({ without: ['host'], headers: ['Host: evil.test'] }), 403, 403)
    expectError(await raw.request({ without: ['host'] }), 400, 400)
    expectError(await raw.bytes('nonsense\r\n\r\n'), 400, 400)
    await call('GET', '/_sim/info')
    await call('GET', '/_sim/nowhere')
    expect(await journalOf('default')).toEqual([])
  })
})

it('The journal never contains a token that a client sends back as a field', async () => {
  const { body: key } = await as('sim_admin~sent-back')('POST', '/api_keys')
  const echoed = await as('sim_admin~sent-back')('PATCH', `/api_keys/${key.id}`, key)
  expectError(echoed, 400, 214)
  expect(JSON.stringify(await journalOf('sent-back'))).not.toContain(key.token.split('_')[1].split('~')[0])
  expect((await entryOf(echoed, 'sent-back')).request.body.token).toBe('[redacted]')
})

describe('The journal', async () => {
  // A separate simulator, because journals share a size limit.
  const { call, as } = await simulate()
  const journalOf = async (sandbox: string, query: string) =>
    (await call('GET', `/_sim/sandboxes/${sandbox}/requests${query}`)).body.requests
  const sandbox = as('sim_admin~filtered')
  await call('PUT', '/_sim/sandboxes/filtered')
  const setClock = (now: string) => call('PUT', '/_sim/sandboxes/filtered/clock', { now, frozen: true })
  await setClock('2026-01-01T00:00:00Z')
  const sent = [
    await sandbox('POST', '/api_keys', { description: 'a' }),
    await sandbox('GET', '/api_keys'),
    await as('sim_member~filtered')('GET', '/api_keys/ak_admin'),
  ]
  await setClock('2026-01-02T00:00:00Z')
  sent.push(
    await sandbox('GET', '/api_keys/ak_nobody'),
    await as('nobody~filtered')('GET', '/api_keys'),
    await sandbox('GET', '/edges/tcp/edgtcp_database/ip_restriction'),
    await sandbox('DELETE', '/api_keys/ak_ci'),
  )
  const ids = sent.map(operationOf)

  filters.push([`since=${ids[4]}`, [6, 5]], [`since=${ids[6]}`, []])

  it.each(filters)('is filtered by "%s"', async (query, expected) => {
    const found = await journalOf('filtered', `?${query}`)
    expect(found.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual(expected)
  })

  it.each(refused)('rejects the filter "%s"', async (query, says) => {
    expect(expectError(await call('GET', `/_sim/requests?${query}`), 400, 400).msg).toMatch(new RegExp(says))
  })

  it('can be filtered by a requested path that no route has', async () => {
    await as('sim_admin~strange')('GET', '/nowhere')
    expect(await journalOf('strange', '?path=/nowhere')).toHaveLength(1)
    const expectation = { path: '/nowhere', status: 404 }
    expect((await call('POST', '/_sim/sandboxes/strange/requests/verify', expectation)).status).toBe(200)
  })
})

describe('The journal', () => {
  const flood = async (sandbox: string, count: number, request: RawCall) => {
    const client = pooledClient(port)
    await forEach(Array(count).keys(), 16, async () => {
      await client.send({ ...request, token: `sim_admin~${sandbox}` })
    })
    client.close()
  }

  it.runIf(ALL)('is limited to 1,000 entries', async () => {
    const rules = [{ name: 'open', when: { operation: 'list_ip_policies' }, fault: { type: 'hang' } }]
    await call('PUT', '/_sim/sandboxes/many', { scenario: { rules } })
    const sandbox = async () => (await call('GET', '/_sim/sandboxes/many')).body
    const open = as('sim_admin~many')('GET', '/ip_policies')
    await expect.poll(sandbox).toMatchObject({ requests: 1, errors: 0 })
    const first = await as('sim_admin~many')('GET', '/api_keys/ak_none')
    expect(await sandbox()).toMatchObject({ requests: 2, errors: 1 })
    await flood('many', 1_098, { path: '/api_keys?limit=1' })
    expect(await sandbox()).toMatchObject({ requests: 1_000, errors: 0 })
    const { requests, dropped } = (await call('GET', '/_sim/sandboxes/many/requests?limit=5000')).body
    expect(requests).toHaveLength(1_000)
    expect(dropped).toBe(100)
    expect(requests.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 1_000 }, (_, i) => 1_100 - i))
    const gone = await call('GET', `/_sim/sandboxes/many/requests/${operationOf(first)}`)
    expect(expectError(gone, 404, 404).msg).toMatch(/1,000 requests, up to 16 MB/)
    await call('DELETE', '/_sim/sandboxes/many')
    expect((await open).status).toBe(503)
  })

  const admin = {
    users: [{ id: 'usr_admin', name: 'A', admin: true }],
    api_keys: [
      { id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' },
      { id: 'ak_ci', owner_id: 'usr_admin' },
    ],
  }
  const restriction = { type: 'agent', metadata: 'm'.repeat(500) }
  const ip_restrictions = Array.from({ length: 100 }, (_, i) => ({ id: `ipx_${i}`, ...restriction }))
  const rules = Array.from({ length: 300 }, (_, i) => ({ name: `${'rule '.repeat(18)}${i}`, latency: '1ms', times: 1 }))
  const large = { method: 'PATCH', path: '/api_keys/ak_ci', body: { x: 'x'.repeat(60_000) } }
  const text = `{ "description": "written with spaces", "extra": "${'a'.repeat(50_000)}" }`
  it.runIf(ALL).each<[string, object, RawCall, number]>([
    ['what is sent', { fixture: admin }, large, 320],
    ['what is sent in chunks', { fixture: admin }, { ...large, chunked: true }, 320],
    ['what is answered', { fixture: { ...admin, ip_restrictions } }, { path: '/ip_restrictions' }, 320],
    ['rules, warnings and explanations', { scenario: { rules } }, { path: '/api_keys?limit=1' }, 480],
    ['bodies and the text they were written in', {}, { method: 'POST', path: '/api_keys', body: text }, 300],
  ])('is limited to 16 MB of %s', async (what, recipe, request, count) => {
    const name = what.replaceAll(/\W/g, '-')
    await call('PUT', `/_sim/sandboxes/${name}`, recipe)
    await flood(name, count, request)
    const response = await call('GET', `/_sim/sandboxes/${name}/requests?limit=1000`)
    const megabytes = response.text.length / 1024 / 1024
    expect(megabytes).toBeLessThan(16)
    expect(megabytes).toBeGreaterThan(7)
    expect(response.body.requests[0].seq).toBe(count)
    if (request.body === text) expect(response.body.requests[0].request.text === text).toBe(true)
  })

  it('is not cleared by a request that only announces a large body', async () => {
    const token = 'sim_admin~announced'
    for (const _ of Array(5)) await as(token)('GET', '/api_keys')
    const { socket } = dial(port)
    socket.write(bytesOf(port, { method: 'POST', path: '/api_keys', token, headers: ['Content-Length: 900000000'] }))
    await once(socket, 'data')
    socket.destroy()
    expect(await journalOf('announced')).toHaveLength(6)
  })
})

it('The journal can be cleared, and continues', async () => {
  const token = 'sim_admin~emptied'
  await as(token)('POST', '/api_keys')
  expect((await call('DELETE', '/_sim/sandboxes/emptied/requests')).status).toBe(204)
  expect(await journalOf('emptied')).toEqual([])
  expect((await as(token)('GET', '/api_keys')).body.keys).toHaveLength(4)
  expect(await journalOf('emptied')).toEqual([expect.objectContaining({ seq: 2, operation: 'list_api_keys' })])
})

describe('GET /_sim/requests', () => {
  it('searches path, query, ids, bodies, errors and explanations, ignoring case', async () => {
    const api = as('sim_admin~texts')
    const made = await api('POST', '/api_keys', { description: 'A Needle in the body' })
    const gone = await api('GET', '/api_keys/ak_nowhere?from=haystack')
    const find = async (text: string) =>
      (await journalOf('texts', `?text=${encodeURIComponent(text)}`)).map(({ id }: { id: string }) => id)
    expect(await find('a nEEDLE in')).toEqual([operationOf(made)])
    expect(await find(made.body.id)).toEqual([operationOf(made)])
    expect(await find('HAYSTACK')).toEqual([operationOf(gone)])
    expect(await find(gone.body.msg)).toEqual([operationOf(gone)])
    expect(await find(operationOf(gone))).toEqual([operationOf(gone)])
    expect(await find('usr_admin')).toEqual([operationOf(gone), operationOf(made)])
    expect(await find('no such text')).toEqual([])
  })

  it('lists requests of all sandboxes, latest arrival first, with any clocks', async () => {
    const { call, as } = await simulate()
    for (const [name, year] of [
      ['one', 2030],
      ['two', 2020],
    ] as const) {
      await call('PUT', `/_sim/sandboxes/${name}`)
      await call('PUT', `/_sim/sandboxes/${name}/clock`, { now: `${year}-01-01T00:00:00Z`, frozen: true })
    }
    const sent: string[] = []
    for (const name of ['one', 'two', 'one', 'default'])
      sent.unshift(operationOf(await as(`sim_admin~${name}`)('GET', '/api_keys')))
    const idsOf = async (query = '') =>
      (await call('GET', `/_sim/requests?sandboxes=all${query}`)).body.requests.map(({ id }: { id: string }) => id)
    expect(await idsOf()).toEqual(sent)
    expect(await idsOf('&limit=3&text=api_keys')).toEqual(sent.slice(0, 3))
    expect(await idsOf(`&since=${sent[2]}`)).toEqual(sent.slice(0, 2))
  })

  it('follows all sandboxes, with the oldest request in each journal', async () => {
    const { call, as, url } = await simulate()
    const { events, untilCount } = await openEvents(`${url}/_sim/events?sandboxes=all`)
    await as('sim_admin~one')('GET', '/api_keys')
    await as('sim_admin~two')('GET', '/api_keys')
    await call('POST', '/_sim/sandboxes/two/reset')
    await untilCount(4)
    expect(events).toMatchObject([
      { type: 'request', data: { sandbox: 'one', seq: 1, oldest_seq: 1 } },
      { type: 'request', data: { sandbox: 'two', seq: 1, oldest_seq: 1 } },
      { type: 'change', data: { sandbox: 'two' } },
      { type: 'reset', data: { sandbox: 'two' } },
    ])
    const refusal = expectError(await call('GET', '/_sim/events?sandboxes=two'), 400, 400)
    expect(refusal.msg).toContain('"sandboxes" must be all')
  })
})

describe('A JSON body', () => {
  const JSON_TYPE = { 'content-type': 'application/json' }
  const sent = async (raw: string, path = '/api_keys') =>
    (await entryOf(await as('sim_admin~bytes')('POST', path, undefined, { raw, headers: JSON_TYPE }), 'bytes')).request

  it('is stored unchanged if its formatting is unusual', async () => {
    expect(await sent('{"description":"x"}')).not.toHaveProperty('text')
    for (const raw of ['{ "description": "x" }', '{"description":"\\u00fc"}', '{"description":"a","description":"b"}'])
      expect((await sent(raw)).text).toBe(raw)
    const har = (await call('GET', '/_sim/sandboxes/bytes/requests.har')).body.log.entries
    expect(har.at(-1).request.postData.text).toBe('{"description":"a","description":"b"}')
  })

  it('that is empty differs from none, and a query is stored unchanged if parsing it loses something', async () => {
    expect(await sent('{}')).toMatchObject({ body: null, text: '{}' })
    const api = as('sim_admin~bytes')
    const searchOf = async (path: string) => (await entryOf(await api('GET', path), 'bytes')).request.search
    expect(await searchOf('/api_keys?limit=1')).toBeUndefined()
    expect(await searchOf('/api_keys?x=1&x=2&limit=%31')).toBe('?x=1&x=2&limit=%31')
  })

  it('is not stored unchanged if it may contain a secret', async () => {
    const secret = '{ "value": "hidden", "name": "x", "vault_id": "v" }'
    expect(await sent(secret, '/vault_secrets')).not.toHaveProperty('text')
    // With a misspelt, an escaped and a repeated name.
    for (const raw of [
      '{ "client_secrt": "hidden" }',
      '{ "client_secr\\u0065t": "hidden" }',
      '{ "client_secret": "hidden", "client_secret": "" }',
    ])
      expect(JSON.stringify(await sent(raw))).not.toContain('hidden')
  })
})
