import { describe, expect, it } from 'vitest'
import { bothWays, createWithRetries, startServer } from '../client.ts'

const rule = { name: 'cut off', when: { operation: 'create_api_key', calls: 1 }, fault: { type: 'reset' } }

describe.each(bothWays)('The fault reset, %s,', async (_, options) => {
  const server = await startServer(options)

  it('resets the connection and carries nothing out', async () => {
    const client = await server.underRules(rule)
    const before = await client.keys()
    const seen = await client.send('POST', '/api_keys', { body: { description: 'never' } })
    expect(seen).toMatchObject({ error: 'ECONNRESET', syscall: 'read', status: undefined, text: '' })
    expect(await client.keys()).toEqual(before)
    expect(await client.entry()).toMatchObject({
      operation: 'create_api_key',
      status: null,
      response: null,
      change: null,
      rules: [{ name: 'cut off', fired: true, effect: 'connection reset, nothing carried out' }],
      explanation: {
        decided_by: 'rule',
        text: expect.stringMatching(/changed nothing.*"cut off" of the scenario "test"/),
      },
    })
  })

  it('leaves one key if the client tries again', async () => {
    const client = await server.underRules(rule)
    const seen = await createWithRetries(client, 'wanted once')
    expect(seen.status).toBe(201)
    expect((await client.keys()).filter(description => description === 'wanted once')).toHaveLength(1)
    expect((await client.journal()).map(({ status }) => status)).toEqual([201, null])
  })
})
