import { describe, expect, it } from 'vitest'
import { bothWays, startServer } from '../client.ts'

const short = (settings: Record<string, unknown> = {}) => ({
  name: 'short',
  when: { method: ['POST', 'DELETE'] },
  fault: { type: 'truncate', ...settings },
})

describe.each(bothWays)('The fault truncate, %s,', async (_, options) => {
  const server = await startServer(options)

  it('announces the whole answer and sends half of it', async () => {
    const client = await server.underRules(short())
    const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
    const promised = Number(seen.headers['content-length'])
    expect(seen).toMatchObject({ status: 201, error: 'ECONNRESET' })
    expect(seen.text).toHaveLength(Math.floor(promised / 2))
    expect(seen.text).toMatch(/^\{"id":"ak_/)
    expect((await client.keys())[0]).toBe('made')
    expect(await client.entry()).toMatchObject({
      status: 201,
      change: { seq: 1 },
      response: { headers: { 'content-length': String(promised) }, body: { token: '[redacted]' } },
      explanation: { text: expect.stringMatching(/carried out.*"short" of the scenario "test".*cut off after half/) },
    })
  })

  it.each([
    [0, 0],
    [7, 7],
    [100_000, -1],
  ])('sends %d bytes, at most all but one', async (after, sent) => {
    const client = await server.underRules(short({ after }))
    const seen = await client.send('POST', '/api_keys')
    expect(seen.error).toBe('ECONNRESET')
    expect(seen.text).toHaveLength(sent < 0 ? Number(seen.headers['content-length']) + sent : sent)
  })

  it('cuts off the head of an answer that has no body', async () => {
    const client = await server.underRules(short())
    const seen = await client.send('DELETE', '/api_keys/ak_ci')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(await client.entry()).toMatchObject({ status: null, change: { seq: 1 } })
    expect(await client.keys()).toHaveLength(2)
  })
})
