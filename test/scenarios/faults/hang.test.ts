import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'
import { bothWays, startServer } from '../client.ts'

const rule = { name: 'stuck', when: { method: 'POST' }, fault: { type: 'hang' } }

describe.each(bothWays)('The fault hang, %s,', async (_, options) => {
  const server = await startServer(options)

  it('answers nothing until the client leaves, and carries nothing out', async () => {
    const client = await server.underRules(rule)
    const before = await client.keys()
    const seen = await client.leave('POST', '/api_keys', { body: { description: 'never' } })
    expect(seen).toMatchObject({ status: undefined, text: '' })
    expect(await client.entry()).toMatchObject({
      status: null,
      response: null,
      change: null,
      explanation: { text: expect.stringMatching(/"stuck" of the scenario "test": no answer until the client leaves/) },
    })
    expect(await client.keys()).toEqual(before)
  })

  it('ends the connection after the time of "for"', async () => {
    const client = await server.underRules({ ...rule, fault: { type: 'hang', for: '120ms' } })
    const seen = await client.send('POST', '/api_keys')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(seen.ms).toBeGreaterThan(115)
    expect(await client.entry()).toMatchObject({ status: null, change: null })
  })

  it('is ended by a reset with 503', async () => {
    const client = await server.underRules(rule)
    const hanging = client.send('POST', '/api_keys')
    await client.underWay(1)
    expect((await client.control('POST', '/reset')).status).toBe(204)
    expect(await hanging).toMatchObject({ status: 503, body: { msg: expect.stringMatching(/reset/) } })
  })
})

it('The fault hang is ended by dropping its sandbox', async () => {
  const server = await startServer()
  const client = await server.underRules(rule)
  const hanging = client.send('POST', '/api_keys')
  await client.underWay(1)
  expect((await server.control('DELETE', `/sandboxes/${client.name}`)).status).toBe(204)
  expect((await hanging).status).toBe(503)
})

it('The fault hang does not keep the simulator from closing', async () => {
  const simulator = await simulate({ scenario: { name: 'test', rules: [rule] } }, { closeMs: 50 })
  const hanging = simulator.call('POST', '/api_keys')
  const refused = expect(hanging).rejects.toThrow('other side closed')
  await expect.poll(() => simulator.sandboxes.default.rules!.report().rules).toMatchObject([{ fired: 1 }])
  await simulator.close()
  await refused
})
