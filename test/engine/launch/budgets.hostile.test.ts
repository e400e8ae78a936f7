import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { bytesOf, dial, pooledClient } from '../../support/raw-http.ts'

const KB = 1024

describe('The journals of all sandboxes together', () => {
  it('are limited, without loss for the last used sandbox', async () => {
    const journalBytes = 512 * KB
    const { sandboxes, call, port, notices } = await simulate({}, { journalBytes })
    const client = pooledClient(port, 1)
    for (let sandbox = 0; sandbox < 20; sandbox++) {
      for (let i = 0; i < 40; i++) {
        await client.send({ method: 'GET', path: '/api_keys/ak_ci', token: `sim_admin~sandbox-${sandbox}` })
        const stored = sandboxes.list().reduce((sum, sandbox) => sum + sandbox.journalBytes, 0)
        expect(stored).toBeLessThanOrEqual(journalBytes)
      }
    }
    client.close()
    const journal = async (sandbox: number) => (await call('GET', `/_sim/sandboxes/sandbox-${sandbox}/requests`)).body
    expect((await journal(19)).requests).toHaveLength(40)
    expect(await journal(0)).toEqual({ requests: [], dropped: 40 })
    const limit = /reached their size limit\. Cleared the journals of the (\d+ )?least recently used sandbox/
    expect(notices).toEqual([{ level: 'warn', text: expect.stringMatching(limit) }])
    const verify = await call('POST', '/_sim/sandboxes/sandbox-0/requests/verify', { method: 'GET', count: 40 })
    expect(verify.status).toBe(409)
    expect(verify.body.msg).toContain('Older ones were dropped from it: 40')
  })
})

it('Snapshots of a sandbox are limited to 100, and an existing one can be replaced', async () => {
  const { call } = await simulate()
  const save = (n: number) => call('PUT', `/_sim/snapshots/s${n}`)
  for (let n = 0; n < 100; n++) expect((await save(n)).status).toBe(201)
  expectError(await save(100), 409, 409)
  expect((await save(7)).status).toBe(201)
  await call('DELETE', '/_sim/snapshots/s0')
  expect((await save(100)).status).toBe(201)
})

describe('Snapshots of all sandboxes', () => {
  it('share a limit, and deleting one or dropping a sandbox frees space', async () => {
    const { call } = await simulate({}, { snapshotBytes: 64 * KB })
    const text = 'x'.repeat(4 * KB)
    /** Saves a snapshot with a unique row. */
    const save = async (sandbox: string, name: string) => {
      await call('PATCH', `/_sim/sandboxes/${sandbox}/db/api_keys/ak_ci`, { metadata: name + text.slice(name.length) })
      return call('PUT', `/_sim/sandboxes/${sandbox}/snapshots/${name}`)
    }
    for (const sandbox of ['one', 'two']) await call('PUT', `/_sim/sandboxes/${sandbox}`, {})
    let saved = 0
    while ((await save('one', `s${saved}`)).status === 201) saved++
    expect(saved).toBeGreaterThan(3)
    expect(saved).toBeLessThan(32)
    const { msg } = expectError(await save('two', 'mine'), 409, 409)
    expect(msg).toMatch(
      /Snapshots of all sandboxes would exceed .*DELETE \/_sim\/snapshots\/\{name\}.*drop unused sandboxes/,
    )
    await call('DELETE', '/_sim/sandboxes/one/snapshots/s0')
    expect((await save('two', 'mine')).status).toBe(201)
    expectError(await save('two', 'other'), 409, 409)
    await call('DELETE', '/_sim/sandboxes/one')
    for (let i = 0; i < 3; i++) expect((await save('two', `more-${i}`)).status).toBe(201)
  })

  it('use no space if their sandbox is dropped while they are saved', async () => {
    const { call, port, sandboxes } = await simulate({}, { snapshotBytes: 64 * KB })
    const fill = async (sandbox: string) => {
      await call('PUT', `/_sim/sandboxes/${sandbox}`, {})
      await call('PATCH', `/_sim/sandboxes/${sandbox}/db/users/usr_admin`, { name: 'x'.repeat(40 * KB) })
    }
    await fill('gone')
    const { socket, closed } = dial(port)
    const headers = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close']
    socket.write(`${bytesOf(port, { method: 'PUT', path: '/_sim/sandboxes/gone/snapshots/late', headers })}{`)
    await expect.poll(() => sandboxes.useOf(sandboxes.get('gone')!).activeRequests).toBe(1)
    await call('DELETE', '/_sim/sandboxes/gone')
    socket.write('}')
    await closed
    await fill('here')
    expect((await call('PUT', '/_sim/sandboxes/here/snapshots/mine')).status).toBe(201)
  })

  it('count shared rows once', async () => {
    const { call } = await simulate({}, { snapshotBytes: 100 * KB })
    for (let i = 0; i < 100; i++) {
      await call('PATCH', '/_sim/db/api_keys/ak_ci', { metadata: `${i}`.padEnd(2 * KB, 'x') })
      if (i % 10 === 0) expect((await call('PUT', `/_sim/snapshots/s${i}`)).status).toBe(201)
    }
    for (let i = 0; i < 50; i++) expect((await call('PUT', `/_sim/snapshots/again`)).status).toBe(201)
  })

  it('count a replaced state in full, but only once', async () => {
    const { call } = await simulate({}, { snapshotBytes: 64 * KB })
    const state = (mark: string) => ({ users: [{ id: 'usr_admin', admin: true, name: mark.repeat(24 * KB) }] })
    const put = async (mark: string, ...names: string[]) => {
      await call('PUT', '/_sim/state', state(mark))
      const statuses = []
      for (const name of names) statuses.push((await call('PUT', `/_sim/snapshots/${name}`)).status)
      return statuses
    }
    expect(await put('a', 'a1', 'a2', 'a3')).toEqual([201, 201, 201])
    expect(await put('b', 'b1')).toEqual([201])
    expect(await put('c', 'c1')).toEqual([409])
    for (const name of ['a1', 'a2', 'a3']) await call('DELETE', `/_sim/snapshots/${name}`)
    expect(await put('c', 'c1')).toEqual([201])
  })
})
