import { Agent } from 'node:http'
import { describe, expect, it } from 'vitest'
import { startServer } from '../client.ts'

const server = await startServer()

describe('The fault error', () => {
  const under = (fault: Record<string, unknown>, { underRules } = server) =>
    underRules({ name: 'refused', when: { method: 'POST' }, fault: { type: 'error', ...fault } })

  it('returns the error and does not execute the request', async () => {
    const client = await under({ status: 503, code: 3004, msg: 'Try again later.', retry_after: '1500ms' })
    const before = await client.keys()
    const seen = await client.send('POST', '/api_keys', { body: { description: 'never' } })
    expect(seen).toMatchObject({
      status: 503,
      headers: { 'content-type': 'application/json', 'retry-after': '2' },
      body: { error_code: 'ERR_SERVICE_3004', status_code: 503, msg: 'Try again later.' },
    })
    const { operation_id } = seen.body.details
    expect(seen.headers['edgesim-operation-id']).toBe(operation_id)
    expect(await client.keys()).toEqual(before)
    expect((await client.control('GET', `/requests/${operation_id}`)).body).toMatchObject({
      status: 503,
      change: null,
      request: { body: { description: 'never' } },
      response: { body: { error_code: 'ERR_SERVICE_3004' } },
      explanation: { decided_by: 'rule', text: expect.stringMatching(/"refused" of the scenario "test": error 503/) },
    })
  })

  it('has an edgesim code for its status by default', async () => {
    const client = await under({ status: 500 }, await startServer({ vendor: 'acme' }))
    const seen = await client.send('POST', '/api_keys', { headers: { 'acme-version': '2' } })
    expect(seen.body).toMatchObject({ error_code: 'ERR_EDGESIM_500', status_code: 500 })
    expect(seen.body.msg.length).toBeGreaterThan(20)
    expect(seen.headers).not.toHaveProperty('retry-after')
  })

  it('with status 401 has WWW-Authenticate', async () => {
    const client = await under({ status: 401, code: 203 })
    expect((await client.send('POST', '/api_keys')).headers['www-authenticate']).toBe('Bearer')
  })

  it('does not hide a body over the limit, and ignores a body that is not JSON', async () => {
    const client = await under({ status: 503 })
    const large = await client.send('POST', '/api_keys', { body: { metadata: 'x'.repeat(70_000) } })
    expect(large.status).toBe(413)
    const headers = { 'content-type': 'text/plain' }
    const other = await client.send('POST', '/api_keys', { body: 'no object', headers })
    expect(other.status).toBe(503)
    const entry = await client.control('GET', `/requests/${other.body.details.operation_id}`)
    expect(entry.body.request.body).toBe('"no object"')
  })

  it('does not close the connection, with any body', async () => {
    const client = await under({ status: 500 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const metadata of ['small', 'x'.repeat(60_000)])
      expect((await client.send('POST', '/api_keys', { agent, body: { metadata } })).status).toBe(500)
    expect((await client.send('GET', '/api_keys', { agent })).status).toBe(200)
    agent.destroy()
  })
})

describe('The fault slow-body', () => {
  const under = (bytes_per_second: number) =>
    server.underRules({ name: 'dribble', when: { method: 'POST' }, fault: { type: 'slow-body', bytes_per_second } })

  it('sends the whole response at the specified rate', async () => {
    const client = await under(1000)
    const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
    expect(seen).toMatchObject({ status: 201, error: undefined, body: { description: 'made' } })
    expect(seen.text).toHaveLength(Number(seen.headers['content-length']))
    // One byte per millisecond, up to one step more or less.
    expect(seen.ms).toBeGreaterThan(seen.text.length - 60)
    const text = expect.stringMatching(/"dribble" of the scenario "test".*1000 bytes per second/)
    expect(await client.entry()).toMatchObject({ status: 201, change: { seq: 1 }, explanation: { text } })
  })

  it('stops when the client disconnects', async () => {
    const client = await under(1)
    const leaving = new AbortController()
    const seen = await client.send('POST', '/api_keys', { leave: leaving.signal, onHead: () => leaving.abort() })
    expect(seen.status).toBe(201)
    expect(seen.text.length).toBeLessThan(Number(seen.headers['content-length']))
    expect(await client.entry()).toMatchObject({ change: { seq: 1 } })
  })

  it('is cut off by a reset', async () => {
    const client = await under(1)
    let slow: ReturnType<typeof client.send> | undefined
    await new Promise<void>(onHead => {
      slow = client.send('POST', '/api_keys', { onHead })
    })
    await client.control('POST', '/reset')
    expect(await slow).toMatchObject({ status: 201, error: 'ECONNRESET' })
  })
})

describe('The fault stale-reads', () => {
  /** A sandbox with its clock frozen an hour after its creation. */
  async function under() {
    const rule = { name: 'lag', fault: { type: 'stale-reads', delay: '2s' } }
    const clock = { now: '2026-01-01T00:00:00Z', frozen: true }
    const client = await server.under({ name: 'test', clock, rules: [rule] })
    await client.advance('1h')
    return client
  }

  it('shows an earlier state by the sandbox clock', async () => {
    const client = await under()
    const made = await client.send('POST', '/api_keys', { body: { description: 'new' } })
    expect(made.status).toBe(201)
    const path = `/api_keys/${made.body.id}`
    expect((await client.send('GET', path)).status).toBe(404)
    expect((await client.send('GET', '/api_keys')).body.keys).toHaveLength(3)
    await client.advance('1999ms')
    expect((await client.send('GET', path)).status).toBe(404)
    await client.advance('1ms')
    expect((await client.send('GET', path)).body.description).toBe('new')
    expect((await client.send('GET', '/api_keys')).body.keys).toHaveLength(4)
  })

  it('shows the state before updates and deletes', async () => {
    const client = await under()
    await client.send('PATCH', '/api_keys/ak_ci', { body: { description: 'changed' } })
    await client.advance('1s')
    expect((await client.send('DELETE', '/api_keys/ak_ci')).status).toBe(204)
    const seen = async () => {
      const { status, body } = await client.send('GET', '/api_keys/ak_ci')
      return [status, body.description]
    }
    expect(await seen()).toEqual([200, undefined])
    await client.advance('1s')
    expect(await seen()).toEqual([200, 'changed'])
    await client.advance('1s')
    expect((await seen())[0]).toBe(404)
  })

  it('does not affect writes', async () => {
    const client = await under()
    await client.send('DELETE', '/api_keys/ak_ci')
    expect((await client.send('PATCH', '/api_keys/ak_ci', { body: { description: 'x' } })).status).toBe(404)
    // Tokens are checked against the current state.
    expect((await client.send('GET', '/api_keys', { token: client.token.replace('admin', 'ci') })).status).toBe(401)
    expect(await client.counts()).toEqual([[2, 0]])
  })

  it('mentions a frozen clock in its explanation', async () => {
    const client = await under()
    await client.send('GET', '/api_keys')
    const { explanation } = await client.entry()
    expect(explanation!.text).toMatch(/"lag" of the scenario "test": reads see the state from 2s ago/)
    expect(explanation!.text).toMatch(/clock is frozen at 2026-01-01T01:00:00Z/)
  })
})
