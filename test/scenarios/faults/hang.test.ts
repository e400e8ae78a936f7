import { describe, expect, it } from 'vitest'
import { bothWays, expectHealthy, underRules } from '../client.ts'

const rule = { name: 'stuck', when: { method: 'POST' }, fault: { type: 'hang' } }

describe.each(bothWays)('hang, %s', (_, options) => {
  it('answers nothing until the client leaves, and carries nothing out', async () => {
    const client = await underRules([rule], options)
    const before = await client.keys()
    const seen = await client.send('POST', '/api_keys', { body: { description: 'never' }, leaveAfter: 150 })
    expect(seen).toMatchObject({ status: undefined, text: '' })
    expect(seen.ms).toBeGreaterThan(140)
    const entry = await client.entry()
    expect(entry).toMatchObject({
      status: null,
      response: null,
      change: null,
      explanation: { text: expect.stringMatching(/"stuck" of the scenario "test": no answer until the client leaves/) },
    })
    expect(entry.duration_ms).toBeGreaterThan(100)
    expect(await client.keys()).toEqual(before)
    await expectHealthy(client)
  })

  it('ends the connection after a while when told to', async () => {
    const client = await underRules([{ ...rule, fault: { type: 'hang', for: '120ms' } }], options)
    const seen = await client.send('POST', '/api_keys')
    expect(seen).toMatchObject({ status: undefined, error: 'ECONNRESET' })
    expect(seen.ms).toBeGreaterThan(115)
    expect(await client.entry()).toMatchObject({ status: null, change: null })
    await expectHealthy(client)
  })
})

it('is let go at once by a reset, with a 503', async () => {
  const client = await underRules([rule])
  const hanging = client.send('POST', '/api_keys')
  await client.underWay(1)
  const began = performance.now()
  expect((await client.control('POST', '/reset')).status).toBe(204)
  const seen = await hanging
  expect(seen).toMatchObject({ status: 503, body: { error_code: 'ERR_SERVICE_503', msg: expect.stringMatching(/reset/) } })
  expect(performance.now() - began).toBeLessThan(500)
})

it('is let go by dropping its sandbox, too', async () => {
  const client = await underRules([rule])
  const hanging = client.send('POST', '/api_keys', { token: 'sim_admin~gone' })
  await client.underWay(1, 'gone')
  expect((await client.control('DELETE', '/sandboxes/gone')).status).toBe(204)
  expect((await hanging).status).toBe(503)
})

it('does not keep the simulator from closing', async () => {
  const client = await underRules([rule])
  const hanging = client.send('POST', '/api_keys')
  await client.underWay(1)
  const began = performance.now()
  await client.close()
  expect(performance.now() - began).toBeLessThan(1500)
  expect((await hanging).status).toBeUndefined()
})
