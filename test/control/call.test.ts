import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { sendRequest } from '../../src/server/http/send-request.ts'
import { expectRefusal } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { tableIn } from '../support/tables.ts'

const rejected: [what: string, body: object, says: string][] = tableIn(import.meta.url, 'call.yaml')

const { call, url } = await simulate()

async function sandboxOf(name: string, recipe: object = {}) {
  await call('PUT', `/_sim/sandboxes/${name}`, recipe)
  const base = `/_sim/sandboxes/${name}`
  return {
    ask: (body: unknown) => call('POST', `${base}/call`, body),
    answer: async (body: unknown) => (await call('POST', `${base}/call`, body)).body,
    entry: async (id: string) => (await call('GET', `${base}/requests/${id}`)).body,
    requests: async () => (await call('GET', `${base}/requests`)).body.requests,
  }
}

const fault = (type: string, more: object = {}) => ({ scenario: { rules: [{ fault: { type, ...more } }] } })

describe('POST /_sim/call', () => {
  it('calls the API with a token of the sandbox, and returns the explanation', async () => {
    const { answer: response, entry } = await sandboxOf('plain')
    const made = await response({ method: 'POST', path: '/api_keys', body: { description: 'made' } })
    expect(made).toMatchObject({ status: 201, failure: null, rules: [], warnings: [] })
    expect(made.body).toMatchObject({ description: 'made', owner_id: 'usr_admin', token: expect.any(String) })
    expect(made.body.uri).toBe(`${url}/api_keys/${made.body.id}`)
    expect(made.headers).toMatchObject({ 'content-type': 'application/json', 'edgesim-operation-id': made.id })
    const kept = await entry(made.id)
    expect(kept).toMatchObject({
      operation: 'create_api_key',
      sandbox: 'plain',
      response: { body: { token: '[redacted]' } },
    })
    expect(made.explanation).toEqual(kept.explanation)
    expect(made.assumptions).toEqual(kept.assumptions)
    const { token } = made.body
    expect(await response({ path: '/api_keys?limit=1', token })).toMatchObject({ status: 200, body: { keys: [{}] } })
    expect((await call('GET', `/api_keys/${made.body.id}`, undefined, { token })).body.description).toBe('made')
  })

  it('uses the passed token or key', async () => {
    const { answer: response, requests } = await sandboxOf('callers')
    const owner = async (token: string) => (await response({ method: 'POST', path: '/api_keys', token })).body.owner_id
    expect(await owner('sim_member')).toBe('usr_member')
    expect(await owner('sim_ci~callers')).toBe('bot_ci')
    expect(await response({ path: '/api_keys', token: 'nobody' })).toMatchObject({
      status: 401,
      explanation: { decided_by: 'unknown_token' },
    })
    const given = (authorization: string) => response({ path: '/api_keys/ak_ci', headers: { authorization } })
    expect(await given('Bearer sim_member')).toMatchObject({ status: 200 })
    expect((await requests())[0]).toMatchObject({ path: '/api_keys/ak_ci', caller: { id: 'usr_member' } })
    expect(await given(`Basic ${btoa('x:sim_ci')}`)).toMatchObject({ status: 200 })
    expect((await requests())[0]).toMatchObject({ caller: { id: 'bot_ci' } })
    expect(await given('Basic sim_member')).toMatchObject({ status: 401, body: { error_code: 'ERR_SERVICE_201' } })
    const nobody = await response({ path: '/api_keys', token: null })
    expect(nobody).toMatchObject({ status: 401, body: { error_code: 'ERR_SERVICE_200' } })
    expect(nobody.explanation.text).toContain('Authorization')
  })

  it('sends headers and bodies unchanged', async () => {
    const { answer: response, entry } = await sandboxOf('sent')
    expect((await response({ path: '/api_keys', headers: { 'Service-Version': null } })).body.msg).toContain(
      'is missing',
    )
    expect((await response({ path: '/api_keys', headers: { 'service-version': '9' } })).body.msg).toContain('9 is not')
    const { status, id } = await response({ path: '/api_keys', headers: { 'User-Agent': 'mine', 'X-Trace': 'abc' } })
    expect(status).toBe(200)
    expect((await entry(id)).request.headers).toMatchObject({ 'user-agent': 'mine', 'x-trace': 'abc' })
    const broken = await response({ method: 'POST', path: '/api_keys', body: '{"description":' })
    expect(broken.body.error_code).toBe('ERR_SERVICE_213')
    const form = { method: 'POST', path: '/api_keys', body: 'a=1', headers: { 'Content-Type': 'text/plain' } }
    expect((await response(form)).status).toBe(415)
    expect(await response({ method: 'DELETE', path: '/api_keys/ak_ci' })).toMatchObject({ status: 204, body: null })
    expect(await response({ method: 'HEAD', path: '/api_keys' })).toMatchObject({ body: null })
  })

  it.each([
    ['reset', {}, /^no response: /],
    ['garbage', { what: 'http' }, /^no response: Parse Error/],
    ['lost-reply', {}, /^no response: /],
  ])('reports a broken connection, with the request in the journal: %s', async (type, more, failure) => {
    const { answer: response, requests } = await sandboxOf(`broken-${type}`, fault(type, more))
    const told = await response({ method: 'POST', path: '/api_keys' })
    expect(told).toMatchObject({ status: null, body: null, headers: {}, rules: [{ fired: true }] })
    expect(told.failure).toMatch(failure)
    expect(told.id).toBe((await requests())[0].id)
  })

  it('reports a truncated response', async () => {
    const { answer: response } = await sandboxOf('cut', fault('truncate'))
    const told = await response({ path: '/api_keys' })
    expect(told).toMatchObject({ status: 200, body: expect.stringContaining('"keys"') })
    expect(told.failure).toMatch(/^an incomplete response: /)
    expect(told.summary).toMatch(/^Status 200, but an incomplete response: .+\. list_api_keys: /)
  })

  it('times out, even after a garbage collection', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const { answer: response, requests } = await sandboxOf('hangs', fault('hang'))
    const asked = response({ path: '/api_keys', timeout: '200ms' })
    await expect.poll(requests).toHaveLength(1)
    collect()
    const told = await asked
    expect(told).toMatchObject({ status: null, failure: 'no response within 200 ms', rules: [{ fired: true }] })
    expect(told.summary).toMatch(/^No response within 200 ms\. list_api_keys: .*rule/)
    expect((await requests())[0]).toMatchObject({ id: told.id, explanation: told.explanation })
  })

  it('ends when its caller disconnects', async () => {
    const { requests } = await sandboxOf('left', fault('hang'))
    const leaving = new AbortController()
    const body = JSON.stringify({ path: '/api_keys', timeout: '60s' })
    const headers = { 'content-type': 'application/json' }
    const asked = fetch(`${url}/_sim/sandboxes/left/call`, { method: 'POST', body, headers, signal: leaving.signal })
    await expect.poll(requests).toHaveLength(1)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    // Entries are complete when the connection has closed.
    await expect.poll(async () => (await requests())[0].explanation).not.toBeNull()
  })

  it("calls the simulator's API, even with TLS or a base URL", async () => {
    const sim = await simulate({ tls: true, vendor: 'ngrok', controlToken: 'secret', baseUrl: 'https://api.test' })
    const body = JSON.stringify({ path: '/api_keys/ak_admin' })
    const headers = {
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const res = await sendRequest(sim, { method: 'POST', path: '/_sim/call', headers, body })
    let text = ''
    for await (const chunk of res) text += chunk
    expect(JSON.parse(text)).toMatchObject({ status: 200, body: { uri: 'https://api.test/api_keys/ak_admin' } })
  })

  it.each(rejected)('rejects %s', async (_, body, says) => {
    const { ask, requests } = await sandboxOf('refused')
    expect(expectRefusal(await ask(body), 400, 400).msg).toMatch(new RegExp(says))
    expect(await requests()).toEqual([])
  })

  it.each([
    ...['Bearer TOKEN', 'Bearer  TOKEN', 'bearer   TOKEN', 'BEARER TOKEN  ', ' \tBearer TOKEN\t ', 'Basic TOKEN'],
  ])('acts only in its own sandbox with %j in "headers"', async pattern => {
    const { ask, requests } = await sandboxOf('kept')
    const before = (await call('GET', '/_sim/sandboxes')).body.sandboxes.length
    const send = (token: string) => {
      const credentials = pattern.startsWith('Basic') ? btoa(`x:${token}`) : token
      return ask({ path: '/api_keys', headers: { Authorization: pattern.replace('TOKEN', credentials) } })
    }
    for (const token of ['sim_admin', 'sim_admin~kept']) expect((await send(token)).body.status).toBe(200)
    const { msg } = expectRefusal(await send('sim_admin~escaped'), 400, 400)
    expect(msg).toContain('to the sandbox "escaped", not to "kept"')
    expect(await requests()).toHaveLength(2)
    expect((await call('GET', '/_sim/sandboxes')).body.sandboxes).toHaveLength(before)
  })

  it.each([
    ['a tab in between', { headers: { authorization: 'Bearer\tsim_admin~escaped' } }],
    ['a no-break space', { headers: { authorization: 'Bearer\u00a0sim_admin~escaped' } }],
    ['an extra space', { headers: { authorization: 'Bearer sim_admin ~escaped' } }],
    ['another scheme', { headers: { authorization: 'Token sim_admin~escaped' } }],
    ['a space in the token', { token: 'sim admin' }],
    ['a space after the token', { token: 'sim_admin ' }],
    ['only spaces', { token: '  ' }],
  ])('returns 401 for %s, and creates no sandbox', async (_, given) => {
    const { answer: response } = await sandboxOf('kept')
    expect(await response({ path: '/api_keys', ...given })).toMatchObject({ status: 401 })
    expect((await call('GET', '/_sim/sandboxes/escaped')).status).toBe(404)
  })

  it('returns a response that is not in the journal', async () => {
    const { answer: response } = await sandboxOf('long')
    const told = await response({ path: '/api_keys', headers: { 'x-long': 'x'.repeat(100_000) } })
    expect(told).toMatchObject({
      status: 431,
      id: null,
      explanation: null,
      summary: expect.stringMatching(/^Status 431\. .*eaders/),
    })
  })

  it('reports that no token is known', async () => {
    const hash = 'a'.repeat(64)
    const fixture = { users: [{ id: 'usr_a' }], api_keys: [{ id: 'ak_a', owner_id: 'usr_a', token_sha256: hash }] }
    const { ask, answer: response } = await sandboxOf('hashed', { fixture })
    expect(expectRefusal(await ask({ path: '/api_keys' }), 400, 400).msg).toContain('Set "token", or null')
    expect(await response({ path: '/api_keys', token: null })).toMatchObject({ status: 401 })
  })
})
