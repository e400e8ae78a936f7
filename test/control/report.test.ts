import { expect, it } from 'vitest'
import { operations } from '../../src/ngrok/resources/index.ts'
import { subscribe } from '../support/events.ts'
import { simulate } from '../support/in-process.ts'

it('GET /_sim/report lists operations called since startup, including dropped sandboxes', async () => {
  const names = ['create_api_key', 'get_api_key', 'update_api_key', 'delete_api_key']
  const { call, as } = await simulate({ operations: [...names, 'list_api_keys'] })
  const before = await call('GET', '/_sim/report')
  expect(before.body).toMatchObject({ requests: 0, sandboxes: 1, operations: [], coverage: { called: 0, of: 5 } })
  expect(before.body.started_at).toBe((await call('GET', '/_sim/info')).body.started_at)
  await call('PUT', '/_sim/sandboxes/gone', {
    scenario: { rules: [{ name: 'down', when: { method: 'GET' }, fault: { type: 'error', status: 503 } }] },
  })
  await as('sim_admin~gone')('GET', '/api_keys')
  await call('DELETE', '/_sim/sandboxes/gone')
  for (let i = 0; i < 12; i++) await call('GET', '/api_keys')
  const { body } = await call('GET', '/_sim/report')
  expect(body).toMatchObject({
    requests: 13,
    sandboxes: 2,
    coverage: { called: 1, of: 5, percent: 20 },
    not_called: names,
    errors: [{ code: 'ERR_EDGESIM_503', count: 1, message: 'The scenario returns status 503 for this call.' }],
    rules: [{ name: 'down', matched: 1, fired: 1 }],
  })
  expect(body.operations).toEqual([
    {
      operation: 'list_api_keys',
      calls: 13,
      statuses: { 200: 12, 503: 1 },
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
    },
  ])
  expect(body.slowest).toHaveLength(10)
  const durations = body.slowest.map(({ duration_ms }: { duration_ms: number }) => duration_ms)
  expect(durations).toEqual(durations.toSorted((a: number, b: number) => b - a))
})

it('Errors have the first sentence of their latest message', async () => {
  const { call } = await simulate()
  const errors = async () => (await call('GET', '/_sim/report')).body.errors
  await call('POST', '/api_keys', { typ: 1 })
  await call('POST', '/api_keys', { tpy: 1 })
  expect(await errors()).toEqual([
    { code: 'ERR_SERVICE_214', count: 2, message: 'create_api_key does not accept the field "tpy".' },
  ])
  const rule = (msg: string) => ({ rules: [{ name: 'down', fault: { type: 'error', status: 503, msg } }] })
  const message = async (msg: string) => {
    await call('PUT', '/_sim/scenario', rule(msg))
    await call('GET', '/api_keys')
    return (await errors()).find(({ code }: { code: string }) => code === 'ERR_EDGESIM_503').message
  }
  expect(await message('The name "a. \\"b. " is used. Choose another.')).toBe('The name "a. \\"b. " is used.')
  expect(await message('No sentence')).toBe('No sentence')
  const long = `The name "${'a. '.repeat(100)}" is used. Choose another.`
  expect(await message(long)).toBe(`${long.slice(0, 200)}…`)
})

it('Without a list, all operations count', async () => {
  const { call } = await simulate()
  expect((await call('GET', '/_sim/report')).body.not_called).toEqual(operations.map(({ id }) => id))
})

it('Deliveries are counted when their outcome is known', async () => {
  const { call, as } = await simulate()
  await subscribe(as('sim_admin'), ['api_key_created.v0'])
  await call('POST', '/api_keys', {})
  expect((await call('GET', '/_sim/report')).body.deliveries).toEqual({ kept: 1 })
})
