import { expect, it } from 'vitest'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, as } = await simulate()
const control = (method: string, path: string, body?: unknown) => call(method, `/_sim/sandboxes/compared${path}`, body)

it('GET /_sim/snapshots/{name}/diff compares with another snapshot, or with the current state', async () => {
  const api = as('sim_admin~compared')
  const kept = (await api('POST', '/api_keys', { description: 'kept' })).body.id
  const gone = (await api('POST', '/api_keys', { description: 'gone' })).body.id
  await control('PUT', '/snapshots/before')
  await api('PATCH', `/api_keys/${kept}`, { description: 'changed' })
  await api('DELETE', `/api_keys/${gone}`)
  const made = (await api('POST', '/api_keys', { description: 'made' })).body.id
  const { status, body } = await control('GET', '/snapshots/before/diff')
  expect(status).toBe(200)
  expect(body).toMatchObject({ from: 'before', to: null, total: 3, added: 1, changed: 1, removed: 1 })
  const byId = Object.fromEntries(body.ops.map((op: { id: string }) => [op.id, op]))
  expect(byId[kept]).toMatchObject({
    table: 'api_keys',
    before: { description: 'kept' },
    after: { description: 'changed' },
  })
  expect(byId[gone]).toMatchObject({ before: { description: 'gone' }, after: null })
  expect(byId[made]).toMatchObject({ before: null, after: { description: 'made' } })

  await control('PUT', '/snapshots/after')
  await control('POST', '/reset')
  expect((await control('GET', '/snapshots/before/diff?with=after')).body.total).toBe(3)
  const short = (await control('GET', '/snapshots/after/diff?with=before&limit=1')).body
  expect({ total: short.total, shown: short.ops.length }).toEqual({ total: 3, shown: 1 })
  // A replaced state shares nothing with the fixture.
  await control('PUT', '/state', (await control('GET', '/state')).body)
  expect((await control('GET', '/snapshots/after/diff')).body.total).toBe(2)
  await control('POST', '/snapshots/after/restore')
  expect((await control('GET', '/snapshots/after/diff')).body).toMatchObject({ total: 0, ops: [] })
  expect(expectError(await control('GET', '/snapshots/befor/diff'), 404, 404).msg).toMatch(/Did you mean before\?/)
  expect(expectError(await control('GET', '/snapshots/before/diff?with=x'), 404, 404).msg).toMatch(
    /Snapshot "x" not found/,
  )
  expect(expectError(await control('GET', '/snapshots/before/diff?limit=0'), 400, 400).msg).toMatch(/"limit"/)
})
