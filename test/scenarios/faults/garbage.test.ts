import { describe, expect, it } from 'vitest'
import { bothWays, startServer } from '../client.ts'

const noise = (settings: Record<string, unknown> = {}) => ({
  name: 'noise',
  when: { operation: 'create_api_key' },
  fault: { type: 'garbage', ...settings },
})

describe.each(bothWays)('The fault garbage, %s,', async (_, options) => {
  const server = await startServer(options)

  it('answers 200 with a body that claims to be JSON and is not', async () => {
    const client = await server.underRules(noise())
    const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
    expect(seen).toMatchObject({ status: 200, error: undefined, headers: { 'content-type': 'application/json' } })
    expect(seen.text).toHaveLength(Number(seen.headers['content-length']))
    expect(() => JSON.parse(seen.text)).toThrow()
    expect((await client.keys())[0]).toBe('made')
    expect(await client.entry()).toMatchObject({
      status: 200,
      change: { seq: 1 },
      response: { body: { unreadable: expect.stringMatching(/html/) } },
      explanation: { text: expect.stringMatching(/carried out.*"noise" of the scenario "test".*not JSON/) },
    })
  })

  it('sends bytes that no HTTP client can read, and closes', async () => {
    const client = await server.underRules(noise({ what: 'http' }))
    const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
    expect(seen.status).toBeUndefined()
    expect(seen.error).toMatch(/^HPE_/)
    expect((await client.keys())[0]).toBe('made')
    expect(await client.entry()).toMatchObject({
      status: null,
      response: null,
      change: { seq: 1 },
      explanation: { text: expect.stringMatching(/"noise" of the scenario "test".*bytes that are not HTTP/) },
    })
    const { said, error } = await client.bytes('POST', '/api_keys')
    expect(error).toBeUndefined()
    expect(said.length).toBeGreaterThan(10)
    expect(said).not.toMatch(/^HTTP/)
  })
})
