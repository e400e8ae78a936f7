import { describe, expect, it } from 'vitest'
import { bothWays, startServer } from '../client.ts'

const rule = { name: 'stuck', when: { method: 'POST' }, fault: { type: 'hang' } }

describe.each(bothWays)('hang, %s', async (_, options) => {
  const server = await startServer(options)

  it('answers nothing until the client leaves, and carries nothing out', async () => {
    const client = await server.underRules(rule)
    const before = await client.keys()
    const seen = await client.send('POST', '/api_keys', { body: { description: 'never' }, leaveAfter: 200 })
    expect(seen).toMatchObject({ status: undefined, text: '' })
    expect(seen.ms).toBeGreaterThan(190)
    expect(await client.entry()).toMatchObject({
      status: null,
      response: null,
      change: null,
      explanation: { text: expect.stringMatching(/"stuck" of the scenario "test": no answer until the client leaves/) },
    })
    expect(await client.keys()).toEqual(before)
  })

  it('ends the connection after a while when told to', async () => {
    const client = await server.underRules({ ...rule, fault: { type: 'hang', for: '120ms' } })
    const seen = await client.send('POST', '/api_keys')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(seen.ms).toBeGreaterThan(115)
    expect(await client.entry()).toMatchObject({ status: null, change: null })
  })

  it('is let go at once by a reset, with a 503', async () => {
    const client = await server.underRules(rule)
    const hanging = client.send('POST', '/api_keys')
    await client.underWay(1)
    const began = performance.now()
    expect((await client.control('POST', '/reset')).status).toBe(204)
    expect(await hanging).toMatchObject({ status: 503, body: { msg: expect.stringMatching(/reset/) } })
    expect(performance.now() - began).toBeLessThan(1000)
  })
})

it('is let go by dropping its sandbox, too', async () => {
  const server = await startServer()
  const client = await server.underRules(rule)
  const hanging = client.send('POST', '/api_keys')
  await client.underWay(1)
  expect((await server.control('DELETE', `/sandboxes/${client.name}`)).status).toBe(204)
  expect((await hanging).status).toBe(503)
})

it('does not keep the simulator from closing', async () => {
  const server = await startServer()
  const client = await server.underRules(rule)
  const hanging = client.send('POST', '/api_keys')
  await client.underWay(1)
  const began = performance.now()
  await server.close()
  expect(performance.now() - began).toBeLessThan(1500)
  expect((await hanging).status).toBeUndefined()
})
