import { describe, expect, it } from 'vitest'
import { bothWays, createWithRetries, startServer } from '../client.ts'

const rule = { name: 'lost', when: { method: ['POST', 'DELETE'], calls: 1 }, fault: { type: 'lost-reply' } }

describe.each(bothWays)('The fault lost-reply, %s,', async (_, options) => {
  const server = await startServer(options)

  it('carries the call out and resets the connection instead of answering', async () => {
    const client = await server.underRules(rule)
    const seen = await client.send('POST', '/api_keys', { body: { description: 'made' } })
    expect(seen).toMatchObject({ error: 'ECONNRESET', syscall: 'read', status: undefined, text: '' })
    expect((await client.keys())[0]).toBe('made')
    expect(await client.entry()).toMatchObject({
      status: null,
      response: null,
      request: { body: { description: 'made' } },
      change: { seq: 1, ops: [{ table: 'api_keys', before: null, after: { description: 'made' } }] },
      explanation: { text: expect.stringMatching(/carried out as change 1\..*"lost" of the scenario "test"/) },
    })
  })

  it('leaves two keys if the client tries again', async () => {
    const client = await server.underRules(rule)
    const seen = await createWithRetries(client, 'wanted once')
    expect(seen.status).toBe(201)
    expect((await client.keys()).filter(description => description === 'wanted once')).toHaveLength(2)
    expect((await client.journal()).map(({ status }) => status)).toEqual([201, null])
  })

  it('makes a second delete answer 404', async () => {
    const client = await server.underRules(rule)
    expect((await client.send('DELETE', '/api_keys/ak_ci')).error).toBe('ECONNRESET')
    expect((await client.send('DELETE', '/api_keys/ak_ci')).status).toBe(404)
  })

  it('carries nothing out if the call is invalid', async () => {
    const client = await server.underRules(rule)
    expect((await client.send('POST', '/api_keys', { body: { nope: 1 } })).error).toBe('ECONNRESET')
    expect(await client.entry()).toMatchObject({ status: null, change: null })
  })
})
