import { expect, it } from 'vitest'
import { operations } from '../../src/resources/index.ts'
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
    errors: [{ code: expect.stringMatching(/^ERR_/), count: 1 }],
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
