import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Call, expectError, operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { newDb } from './support.ts'

const stateOf = async (call: Call) => (await call('GET', '/_sim/state')).body
const namesOf = async (call: Call) =>
  (await call('GET', '/_sim/snapshots')).body.snapshots.map(({ name }: { name: string }) => name)

describe('A snapshot', () => {
  it('restores the state any number of times', async () => {
    const { call } = await simulate()
    await call('POST', '/api_keys', { description: 'in it' })
    const taken = await call('PUT', '/_sim/snapshots/one')
    expect(taken).toMatchObject({ status: 201, body: { name: 'one', seq: 1, at: expect.stringMatching(/Z$/) } })
    const state = await stateOf(call)
    for (let i = 0; i < 2; i++) {
      await call('POST', '/api_keys', { description: 'not in it' })
      await call('DELETE', '/api_keys/ak_ci')
      expect((await call('POST', '/_sim/snapshots/one/restore')).status).toBe(204)
      expect(await stateOf(call)).toEqual(state)
    }
  })

  it('can be replaced, listed and deleted', async () => {
    const { call } = await simulate()
    for (const name of ['b', 'a', 'c-1_x']) expect((await call('PUT', `/_sim/snapshots/${name}`)).status).toBe(201)
    await call('DELETE', '/api_keys/ak_ci')
    expect((await call('PUT', '/_sim/snapshots/a')).body.seq).toBe(1)
    expect(await namesOf(call)).toEqual(['a', 'b', 'c-1_x'])
    expect((await call('DELETE', '/_sim/snapshots/b')).status).toBe(204)
    expect(await namesOf(call)).toEqual(['a', 'c-1_x'])
    await call('POST', '/_sim/snapshots/a/restore')
    expect((await call('GET', '/api_keys/ak_ci')).status).toBe(404)
    await call('POST', '/_sim/snapshots/c-1_x/restore')
    expect((await call('GET', '/api_keys/ak_ci')).status).toBe(200)
  })

  it('shows the last request whose change it contains', async () => {
    const { call } = await simulate()
    const save = async () => (await call('PUT', '/_sim/snapshots/one')).body.request
    expect(await save()).toBeNull()
    const made = await call('POST', '/api_keys?a=b', { description: 'made' })
    const request = { id: operationOf(made), method: 'POST', path: '/api_keys' }
    await call('GET', '/api_keys')
    await call('POST', '/api_keys', { typ: 1 })
    await call('PATCH', '/_sim/db/api_keys/ak_ci', { description: 'by hand' })
    expect(await save()).toEqual(request)
    const list = async () => (await call('GET', '/_sim/snapshots')).body.snapshots
    expect(await list()).toMatchObject([{ name: 'one', request }])
    await call('PATCH', '/api_keys/ak_ci', { description: 'by request' })
    expect(await save()).toMatchObject({ method: 'PATCH', path: '/api_keys/ak_ci' })
    // The state no longer contains that change.
    await call('POST', `/_sim/requests/${request.id}/rewind`)
    expect(await save()).toBeNull()
    await call('DELETE', '/api_keys/ak_ci')
    expect(await save()).toMatchObject({ method: 'DELETE' })
    await call('DELETE', '/_sim/requests')
    expect(await save()).toBeNull()
  })

  it('that does not exist returns 404 with the existing names', async () => {
    const { call } = await simulate()
    await call('PUT', '/_sim/snapshots/before-login')
    const path = '/_sim/snapshots/before-logon'
    for (const response of [await call('POST', `${path}/restore`), await call('DELETE', path)])
      expect(expectError(response, 404, 404).msg).toMatch(/Snapshot "before-logon".*Did you mean before-login\?/)
  })

  it('is restored in one change, and survives a reset', async () => {
    const { call } = await simulate()
    await call('PUT', '/_sim/snapshots/one')
    for (let i = 0; i < 2; i++) await call('POST', '/api_keys', {})
    await call('POST', '/_sim/snapshots/one/restore')
    await call('POST', '/api_keys', {})
    const { body: entry } = await call('GET', '/_sim/requests?operation=create_api_key&limit=1')
    expect(entry.requests[0].change.seq).toBe(4)
    await call('POST', '/_sim/reset')
    expect(await namesOf(call)).toEqual(['one'])
  })
})

describe('A snapshot next to a database', () => {
  it('can be created by concurrent requests under one name', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    const taken = await Promise.all(Array.from({ length: 8 }, () => call('PUT', '/_sim/snapshots/one')))
    expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 201))
    await close()
    expect(readdirSync(`${db}.snapshots`)).toEqual(['one.json'])
  })

  it('half-written by a killed process is removed', async () => {
    const db = newDb()
    mkdirSync(`${db}.snapshots`)
    writeFileSync(join(`${db}.snapshots`, 'one.json.aB3-_67890.tmp'), '{')
    writeFileSync(join(`${db}.snapshots`, 'notes.txt'), '')
    const { call } = await simulate({ db })
    expect(await namesOf(call)).toEqual([])
    expect(readdirSync(`${db}.snapshots`)).toEqual(['notes.txt'])
  })

  it('that is damaged is rejected, and the state is unchanged', async () => {
    const db = newDb()
    const first = await simulate({ db })
    for (const name of ['cut', 'wrong', 'empty', 'fine']) await first.call('PUT', `/_sim/snapshots/${name}`)
    await first.close()
    const file = (name: string) => join(`${db}.snapshots`, `${name}.json`)
    writeFileSync(file('cut'), readFileSync(file('cut')).subarray(0, 200))
    writeFileSync(
      file('wrong'),
      readFileSync(file('wrong'), 'utf8').replace('"owner_id":"usr_admin"', '"owner_id":"usr_x"'),
    )
    writeFileSync(file('empty'), '')
    const { call, notices } = await simulate({ db })
    const state = await stateOf(call)
    const { snapshots } = (await call('GET', '/_sim/snapshots')).body
    expect(snapshots).toContainEqual({ name: 'fine', at: null, seq: null, request: null })
    for (const [name, why] of [
      ['cut', /The snapshot "cut" is unreadable on disk: .*is not complete JSON.* Nothing was changed/],
      ['wrong', /wrong\.json:\d+:\d+: usr_x not found/],
      ['empty', /is empty/],
    ] as const) {
      const { status, body } = await call('POST', `/_sim/snapshots/${name}/restore`)
      expect(status).toBe(503)
      expect(body.msg).toMatch(why)
    }
    expect(await stateOf(call)).toEqual(state)
    expect((await call('POST', '/_sim/snapshots/fine/restore')).status).toBe(204)
    expect(notices).toEqual([])
  })

  it('can have a name of 64 characters, or of a property of every object', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    for (const name of ['x'.repeat(64), 'constructor', 'hasownproperty', '0'])
      expect((await call('PUT', `/_sim/snapshots/${name}`)).status).toBe(201)
    expect((await call('POST', '/_sim/snapshots/constructor/restore')).status).toBe(204)
    expect((await call('POST', '/_sim/snapshots/valueof/restore')).status).toBe(404)
    await close()
    expect(readdirSync(`${db}.snapshots`)).toHaveLength(4)
  })
})
