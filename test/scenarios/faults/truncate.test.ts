import { describe, expect, it } from 'vitest'
import { bothWays, expectHealthy, underRules } from '../client.ts'

const under = (settings: Record<string, unknown>, options = {}) =>
  underRules([{ name: 'short', when: { method: ['POST', 'DELETE'] }, fault: { type: 'truncate', ...settings } }], options)

describe.each(bothWays)('truncate, %s', (_, options) => {
  it('promises the whole answer and sends half of it', async () => {
    const client = await under({}, options)
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
      explanation: { text: expect.stringMatching(/carried out.*"short" of the scenario "test".*cut off after half of it/) },
    })
    await expectHealthy(client)
  })

  it('sends as many bytes as it is told to, but never all', async () => {
    for (const [after, sent] of [
      [0, 0],
      [7, 7],
      [100_000, 'one less'],
    ] as const) {
      const client = await under({ after }, options)
      const seen = await client.send('POST', '/api_keys')
      expect(seen.error).toBe('ECONNRESET')
      expect(seen.text).toHaveLength(sent === 'one less' ? Number(seen.headers['content-length']) - 1 : sent)
    }
  })
})

it('cuts off the head of an answer that has no body', async () => {
  const client = await under({})
  const seen = await client.send('DELETE', '/api_keys/ak_ci')
  expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
  expect(await client.entry()).toMatchObject({ status: null, change: { seq: 1 } })
  expect(await client.keys()).toHaveLength(2)
  await expectHealthy(client)
})
