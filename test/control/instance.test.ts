import { describe, expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'
import { talk } from '../support/raw-http.ts'

const PAGE = 'http://localhost:5173'
const { call, url, port } = await simulate({ cors: [PAGE], controlToken: 'steering' })
const asControl = { token: 'steering' }
const { instance } = (await call('GET', '/_sim/info', undefined, asControl)).body

describe('Edgesim-Instance', () => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url + path, { method, redirect: 'manual', headers: { authorization: 'Bearer steering', ...headers } })

  it.each<[string, number, () => Promise<Response>]>([
    ['an API response', 200, () => get('/api_keys', { authorization: 'Bearer sim_admin', 'service-version': '2' })],
    ['an API error', 401, () => get('/api_keys')],
    ['a preflight', 204, () => get('/api_keys', { origin: PAGE, 'access-control-request-method': 'GET' }, 'OPTIONS')],
    ['the redirect to the dashboard', 302, () => get('/', { accept: 'text/html' })],
    ['the dashboard', 200, () => get('/_sim/')],
    ['a control response', 200, () => get('/_sim/clock')],
    ['a response without a body', 204, () => get('/_sim/requests', {}, 'DELETE')],
    ['a control error', 404, () => get('/_sim/clocks')],
    ['a rejection by the guard', 401, () => get('/_sim/clock', { authorization: '' })],
    ['health', 200, () => get('/_sim/health')],
    ['a stream of events', 200, () => get('/_sim/events')],
  ])('is on %s', async (_what, status, ask) => {
    const response = await ask()
    expect([response.status, response.headers.get('edgesim-instance')]).toEqual([status, instance])
    await response.body?.cancel()
  })

  it.each([
    ['bytes that are not a request', 'hello\r\n\r\n', 400],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n', 417],
  ])('is on the response to %s', async (_what, bytes, status) => {
    const { said } = await talk(port, bytes, { end: false })
    expect(said).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(said).toContain(`Edgesim-Instance: ${instance}\r\n`)
  })

  it('depends only on the seed, and is random without one', async () => {
    const wordOf = async (seed?: number) => (await (await simulate({ seed })).call('GET', '/_sim/info')).body.instance
    const [first, same, ...others] = [await wordOf(1), await wordOf(1), await wordOf(2), await wordOf(), await wordOf()]
    expect(first).toMatch(/^[0-9a-f]{8}$/)
    expect(same).toBe(first)
    expect(new Set([first, ...others]).size).toBe(4)
  })

  it('can be read by other origins, and is in the journal', async () => {
    const headers = { origin: PAGE, authorization: 'Bearer sim_admin', 'service-version': '2' }
    const response = await get('/api_keys', headers)
    expect(response.headers.get('access-control-expose-headers')).toContain('Edgesim-Instance')
    const id = response.headers.get('edgesim-operation-id')
    const { body } = await call('GET', `/_sim/requests/${id}`, undefined, asControl)
    expect(body.response.headers['edgesim-instance']).toBe(instance)
  })
})
