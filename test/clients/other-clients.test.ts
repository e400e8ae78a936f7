import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'

const HEADERS = '/edges/https/edghts_web/routes/edghtsrt_static/request_headers'
const MODULE = '/edges/tcp/edgtcp_ssh/ip_restriction'

/** Each test has its own sandbox, with the fixture's keys and restrictions. */
const { as, url, token } = await simulate({ vendor: 'ngrok' })
const client = (name: string) => as(`${token}~${name}`)

describe('The Go client', () => {
  it('omits unset fields, false and empty lists', async () => {
    const call = client('go-create')
    expect((await call('POST', '/api_keys', {})).body).toMatchObject({ owner_id: 'usr_admin' })
    const restriction = await call('POST', '/ip_restrictions', { type: 'agent' })
    expect(restriction.status).toBe(201)
    expect(restriction.body).toMatchObject({ enforced: false, ip_policies: [] })
    expect((await call('PUT', MODULE, {})).body).toEqual({ enabled: true, ip_policies: [] })
    expect((await call('PUT', HEADERS, {})).body).toEqual({ enabled: true, add: {}, remove: [] })
  })

  it('follows next_page_uri until it is null', async () => {
    const call = client('go-paging')
    for (let i = 0; i < 4; i++) await call('POST', '/api_keys', {})
    const ids: string[] = []
    for (let next: string | null = `${url}/api_keys?limit=3`; next; ) {
      const { body } = await call('GET', next.slice(url.length))
      ids.push(...body.keys.map((key: { id: string }) => key.id))
      next = body.next_page_uri
    }
    expect(new Set(ids).size).toBe(7)
    expect(ids.slice(-3)).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
  })

  it('recognizes a missing resource by status_code in the body, and reads details as strings', async () => {
    const { body } = await client('go-errors')('GET', '/api_keys/ak_none')
    expect(body.status_code).toBe(404)
    expect(body).not.toHaveProperty('error_code')
    for (const value of Object.values(body.details)) expect(typeof value).toBe('string')
  })

  it('can delete a module that is not set', async () => {
    const call = client('go-delete')
    for (let pass = 0; pass < 3; pass++) {
      const response = await call('DELETE', MODULE)
      expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' })
    }
  })
})

describe('The Python client', () => {
  it('sends empty strings and false for unset fields', async () => {
    const call = client('python-create')
    const { body: key } = await call('POST', '/api_keys', { description: '', metadata: '' })
    expect(key).not.toHaveProperty('description')
    expect(key).not.toHaveProperty('metadata')
    const unset = { description: '', metadata: '', enforced: false, ip_policy_ids: [] }
    const restriction = await call('POST', '/ip_restrictions', { ...unset, type: 'agent' })
    expect(restriction.status).toBe(201)
    expect(restriction.body).not.toHaveProperty('description')
  })

  it('requests next_page_uri unchanged, an absolute URL on every page', async () => {
    const call = client('python-paging')
    await call('POST', '/api_keys', {})
    const { body: first } = await call('GET', '/api_keys?limit=2')
    const headers = { authorization: `Bearer ${token}~python-paging`, 'ngrok-version': '2' }
    const last = await (await fetch(first.next_page_uri, { headers })).json()
    expect(last.keys.map((key: { id: string }) => key.id)).toEqual(['ak_member', 'ak_admin'])
    expect(last).toHaveProperty('next_page_uri', null)
    expect((await call('GET', '/ip_restrictions')).body).toHaveProperty('next_page_uri', null)
  })

  it('sends an empty list with every update, which removes the policies', async () => {
    const call = client('python-update')
    const { body } = await call('PATCH', '/ip_restrictions/ipx_endpoints', { enforced: false, ip_policy_ids: [] })
    expect(body).toMatchObject({ enforced: false, ip_policies: [] })
  })

  it('replaces a module with an empty body, without a content type', async () => {
    const response = await client('python-module')('PUT', MODULE)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ enabled: true, ip_policies: [] })
  })

  it('deletes with Content-Length: 0 and no content type', async () => {
    const headers = { authorization: `Bearer ${token}~python-delete`, 'ngrok-version': '2', 'content-length': 0 }
    const [response] = await once(request(`${url}/api_keys/ak_ci`, { method: 'DELETE', headers }).end(), 'response')
    expect(response.resume().statusCode).toBe(204)
    expect((await client('python-delete')('GET', '/api_keys/ak_ci')).status).toBe(404)
  })

  it('requires status_code, msg and details in every error', async () => {
    const call = client('python-errors')
    const responses = [
      await call('GET', '/api_keys/ak_none'),
      await call('GET', '/nowhere'),
      await call('POST', '/ip_restrictions', {}),
      await as('wrong')('GET', '/api_keys'),
    ]
    for (const { status, body } of responses)
      expect(body).toMatchObject({ status_code: status, msg: expect.any(String), details: expect.any(Object) })
  })
})

describe('The Ruby client', () => {
  it('never sends enforced: false, and sends empty strings for other unset fields', async () => {
    const call = client('ruby-create')
    const created = await call('POST', '/ip_restrictions', { description: '', metadata: '', type: 'api' })
    expect(created.body).toMatchObject({ enforced: false, ip_policies: [] })
  })

  it('requires next_page_uri to start with its base URL', async () => {
    const call = client('ruby-paging')
    for (const host of ['127.0.0.1', 'localhost']) {
      const base = url.replace('127.0.0.1', host)
      const headers = { authorization: `Bearer ${token}~ruby-paging`, 'ngrok-version': '2' }
      const page = await (await fetch(`${base}/api_keys?limit=1`, { headers })).json()
      expect(page.next_page_uri.startsWith(`${base}/api_keys?`)).toBe(true)
    }
    expect((await call('GET', '/api_keys?before_id=ak_admin')).body).toMatchObject({ keys: [], next_page_uri: null })
  })
})

describe('The .NET client', () => {
  const JSON_UTF8 = { headers: { 'content-type': 'application/json; charset=utf-8' } }

  it('sends null for unset fields, as application/json; charset=utf-8', async () => {
    const call = client('dotnet-create')
    const unset = { description: null, metadata: null, owner_id: null }
    const { status, body } = await call('POST', '/api_keys', unset, JSON_UTF8)
    expect(status).toBe(201)
    expect(body.owner_id).toBe('usr_admin')
    expect(body).not.toHaveProperty('description')
  })

  it('sends the id in the body of an update', async () => {
    const call = client('dotnet-update')
    const sent = { id: 'ak_ci', description: 'named', metadata: null }
    expect((await call('PATCH', '/api_keys/ak_ci', sent, JSON_UTF8)).body).toMatchObject({ description: 'named' })
  })

  it('starts with an empty before_id and pages until an empty page', async () => {
    const call = client('dotnet-paging')
    const ids: string[] = []
    for (let before = ''; ; before = ids.at(-1)!) {
      const { body } = await call('GET', `/api_keys?before_id=${before}&limit=2`)
      if (body.keys.length === 0) break
      ids.push(...body.keys.map((key: { id: string }) => key.id))
    }
    expect(ids).toEqual(['ak_ci', 'ak_member', 'ak_admin'])
  })
})

describe('Any client', () => {
  it('can send Content-Type without a body', async () => {
    const json = { headers: { 'content-type': 'application/json' } }
    expect((await client('any-type')('GET', '/api_keys', undefined, json)).status).toBe(200)
    expect((await client('any-type')('DELETE', '/api_keys/ak_ci', undefined, json)).status).toBe(204)
  })

  it('gets header names in add unchanged', async () => {
    const add = { 'X-Edge': '1', 'x-lower-case': '2', UPPER_Snake: '3' }
    const call = client('any-headers')
    expect((await call('PUT', HEADERS, { add })).body.add).toEqual(add)
    expect(Object.keys((await call('GET', HEADERS)).body.add)).toEqual(Object.keys(add))
  })

  it('can wrap the fields of a module in "module", next to the ids', async () => {
    const call = client('any-module')
    const wrapped = { id: 'edgtcp_ssh', module: { enabled: false, ip_policy_ids: ['ipp_office'] } }
    expect((await call('PUT', MODULE, wrapped)).body).toMatchObject({
      enabled: false,
      ip_policies: [{ id: 'ipp_office' }],
    })
    const flat = { edge_id: 'edghts_web', id: 'edghtsrt_static', remove: ['cookie'] }
    expect((await call('PUT', HEADERS, flat)).body).toEqual({ enabled: true, add: {}, remove: ['cookie'] })
  })

  it('gets a token of 27 characters and a secret once, and null later', async () => {
    const call = client('any-token')
    const { body: key } = await call('POST', '/api_keys', {})
    expect(key.token).toMatch(/^[0-9A-Za-z]{27}_[0-9A-Za-z]{21}~any-token$/)
    const { body: list } = await call('GET', '/api_keys')
    for (const each of list.keys) expect(each).toHaveProperty('token', null)
  })
})
