import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { edgesim, folderWith, startEdgesim } from '../support/cli.ts'
import { type Call, caller, newDb, start } from './support.ts'

const BASE = { baseUrl: 'http://sim.test', seed: 'restart' }
const FLAGS = ['--base-url', BASE.baseUrl, '--seed', BASE.seed]
const MODULES = [
  '/edges/tcp/edgtcp_database/ip_restriction',
  '/edges/https/edghts_web/routes/edghtsrt_api/request_headers',
]

/** Some of everything that can be done; returns all ids there ever were. */
async function beBusy(call: Call, salt = ''): Promise<string[]> {
  const ids: string[] = ['ak_admin', 'ak_member', 'ak_ci', 'ipx_dashboard', 'ipx_endpoints']
  const create = async (path: string, body: object) => {
    const { status, body: made } = await call('POST', path, body)
    expect(status).toBe(201)
    ids.push(made.id)
    return made.id as string
  }
  for (let i = 0; i < 12; i++) await create('/api_keys', { description: `key ${i} é€`, metadata: 'm'.repeat(i * 20) })
  for (const type of ['agent', 'endpoints', 'dashboard'])
    await create('/ip_restrictions', { type, ip_policy_ids: ['ipp_office'], description: type })
  const some = (prefix: string, n: number) => ids.filter(id => id.startsWith(prefix)).at(n)!
  for (const id of [some('ak_', 4), some('ak_', 7), some('ak_', 8), some('ak_', -1), some('ipx_', 2)])
    expect((await call('DELETE', `/${id.startsWith('ak') ? 'api_keys' : 'ip_restrictions'}/${id}`)).status).toBe(204)
  await call('PATCH', `/api_keys/${some('ak_', 5)}`, { description: '', metadata: 'changed' })
  await call('PATCH', `/ip_restrictions/${some('ipx_', -1)}`, {
    enforced: true,
    ip_policy_ids: ['ipp_office', 'ipp_blocked'],
  })
  await call('PUT', MODULES[0]!, { enabled: true, ip_policy_ids: ['ipp_blocked', 'ipp_office'] })
  await call('PUT', MODULES[1]!, {
    enabled: false,
    add: { 'X-One': '1', 'x-two': 'ü'.length.toString() },
    remove: ['cookie'],
  })
  await call('PUT', `/_sim/snapshots/busy${salt}`)
  await create('/_sim/db/api_keys', { id: `ak_mine${salt}`, token: `mine${salt}` })
  await call('POST', '/_sim/db/ip_policies', { id: `ipp_new${salt}`, rules: [{ action: 'deny', cidr: '10.1.2.3' }] })
  await call('POST', '/_sim/db/users', { id: `usr_new${salt}`, name: 'New' })
  const before = await create('/api_keys', { description: 'rewound' })
  await call('DELETE', `/api_keys/${before}`)
  const { body: journal } = await call('GET', '/_sim/requests?operation=delete_api_key&limit=1')
  expect((await call('POST', `/_sim/requests/${journal.requests[0].id}/rewind`)).status).toBe(204)
  await call('POST', `/_sim/snapshots/busy${salt}/restore`)
  await create('/api_keys', { description: 'the last one' })
  return ids
}

/** Every answer that reading gives. */
async function readAll(call: Call, ids: string[]) {
  const answers: Record<string, unknown> = {}
  const read = async (path: string) => {
    const { status, body } = await call('GET', path)
    if (body?.details) delete body.details.operation_id
    answers[path] = { status, body }
    return body
  }
  const readPages = async (path: string, limit: number) => {
    for (let next: string | null = `${path}?limit=${limit}`; next; )
      next = (await read(next)).next_page_uri?.replace(BASE.baseUrl, '') ?? null
  }
  const state = await read('/_sim/state')
  const ofIds = ids.flatMap(id => {
    const path = id.startsWith('ak_') ? '/api_keys' : '/ip_restrictions'
    return [`${path}/${id}`, `${path}?before_id=${id}&limit=4`]
  })
  const tables = Object.keys(state).map(table => `/_sim/db/${table}`)
  await Promise.all([
    ...[...ofIds, ...tables, ...MODULES].map(read),
    ...['/api_keys', '/ip_restrictions'].flatMap(path => [1, 3, 100].map(limit => readPages(path, limit))),
  ])
  const { body } = await call('GET', '/_sim/snapshots')
  answers.snapshots = body.snapshots.map(({ name }: { name: string }) => name)
  return answers
}

describe('After a restart every answer is what it was', () => {
  it.each([
    ['a clean exit', { compactAt: undefined }],
    ['a clean exit and many compactions', { compactAt: 300 }],
  ])(
    'with %s',
    async (_, parts) => {
      const db = newDb()
      const ids: string[] = []
      for (let round = 0; round < 2; round++) {
        const before = await start({ db, ...BASE }, parts)
        ids.push(...(await beBusy(before.call, String(round))))
        const answers = await readAll(before.call, ids)
        await before.close()
        const after = await start({ db, ...BASE })
        expect(await readAll(after.call, ids)).toEqual(answers)
        await after.close()
      }
    },
    60_000,
  )

  it('with a kill, and another before anything was written', async () => {
    const db = newDb()
    const first = await startEdgesim(['--db', db, ...FLAGS])
    const ids = await beBusy(callOf(first))
    const answers = await readAll(callOf(first), ids)
    await first.stop('SIGKILL')
    for (let i = 0; i < 2; i++) {
      const next = await startEdgesim(['--db', db, ...FLAGS])
      expect(await readAll(callOf(next), ids)).toEqual(answers)
      await next.stop('SIGKILL')
    }
  }, 60_000)
})

/** The child listens on an address of its own, whatever its base URL says. */
const callOf = ({ ready }: { ready: { url: string; port?: number } }) =>
  caller(`http://127.0.0.1:${ready.port ?? new URL(ready.url).port}`)

describe('With a seed', () => {
  it('no id, token or operation id is ever given out twice, however it ends', async () => {
    const db = newDb()
    const seen: string[] = []
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const { ready, stop } = await startEdgesim(['--db', db, '--seed', '7'], {
        env: { EDGESIM_TEST_COMPACT_AT: '1500' },
      })
      const request = (method: string, path: string) =>
        fetch(ready.url + path, { method, headers: { authorization: 'Bearer sim_admin', 'service-version': '2' } })
      for (let i = 0; i < 4; i++) {
        const made = await request('POST', '/api_keys')
        const { id, token } = (await made.json()) as { id: string; token: string }
        seen.push(id, token, made.headers.get('edgesim-operation-id')!)
      }
      for (let i = 0; i < 3; i++) seen.push((await request('GET', '/api_keys')).headers.get('edgesim-operation-id')!)
      await stop(signal)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(5 * 15)
  }, 60_000)

  it('the same is given out again with --fresh', async () => {
    const db = newDb()
    const ids: string[] = []
    for (let i = 0; i < 2; i++) {
      const { call, close } = await start({ db, seed: 7, fresh: true })
      ids.push((await call('POST', '/api_keys', {})).body.id)
      expect((await call('GET', '/api_keys')).body.keys).toHaveLength(4)
      await close()
    }
    expect(ids[0]).toBe(ids[1])
  })
})

describe('The database file', () => {
  it('is JSON with a record a line, and can be a fixture', async () => {
    const db = newDb()
    const { call, close } = await start({ db })
    const { body: key } = await call('POST', '/api_keys', { description: 'mine' })
    const state = (await call('GET', '/_sim/state')).body
    await close()
    const text = readFileSync(db, 'utf8')
    const { _edgesim, ...rows } = JSON.parse(text)
    expect(rows).toEqual(state)
    expect(Object.keys(_edgesim)).toEqual(['format', 'seq', 'counters', 'deleted'])
    const line = text.split('\n').find(each => each.includes(key.id))!
    expect(JSON.parse(line.trim().replace(/,$/, ''))).toMatchObject({ id: key.id, description: 'mine' })
    expect((await edgesim(['validate', db])).code).toBe(0)
    const other = await start({ fixture: db })
    const made = await fetch(`${other.url}/api_keys/${key.id}`, {
      headers: { authorization: `Bearer ${key.token}`, 'service-version': '2' },
    })
    expect(await made.json()).toMatchObject({ id: key.id, token: null })
    expect(readFileSync(db, 'utf8')).toBe(text)
  })

  it('leaves the fixture it was seeded from alone, which still serves resets', async () => {
    const folder = folderWith({
      'fixture.json': { users: [{ id: 'usr_a', admin: true }], api_keys: [{ id: 'ak_a', token: 'sim_admin' }] },
    })
    const fixture = join(folder, 'fixture.json')
    const text = readFileSync(fixture, 'utf8')
    const db = join(folder, 'db.json')
    for (let i = 0; i < 2; i++) {
      const { call, close } = await start({ db, fixture })
      await call('POST', '/api_keys', {})
      await close()
    }
    const { call } = await start({ db, fixture })
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
    await call('POST', '/_sim/reset')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(1)
    expect(readFileSync(fixture, 'utf8')).toBe(text)
  })

  it('replays a reset as it was, also after the fixture has changed', async () => {
    const db = newDb()
    const fixture = { users: [{ id: 'usr_a', admin: true }], api_keys: [{ id: 'ak_a', token: 'sim_admin' }] }
    const first = await startEdgesim(['--db', db, join(folderWith({ 'f.json': fixture }), 'f.json')])
    await callOf(first)('POST', '/api_keys', {})
    await callOf(first)('POST', '/_sim/reset')
    await first.stop('SIGKILL')
    const { call } = await start({ db, fixture: { ...fixture, api_keys: [...fixture.api_keys, { id: 'ak_b' }] } })
    expect((await call('GET', '/api_keys')).body.keys).toMatchObject([{ id: 'ak_a' }])
    await call('POST', '/_sim/reset')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(2)
  })

  it.skipIf(process.platform === 'win32')('is for its owner alone, and so is all beside it', async () => {
    const db = newDb()
    const { call } = await start({ db })
    await call('POST', '/api_keys', {})
    await call('PUT', '/_sim/snapshots/one')
    const modes = Object.fromEntries(
      readdirSync(dirname(db), { recursive: true, encoding: 'utf8' }).map(name => [
        name,
        (statSync(join(dirname(db), name)).mode & 0o777).toString(8),
      ]),
    )
    expect(modes).toEqual({
      'db.json': '600',
      'db.json.lock': '600',
      'db.json.log': '600',
      'db.json.snapshots': '700',
      'db.json.snapshots/one.json': '600',
    })
  })
})

describe.skipIf(process.platform === 'win32')('A link that somebody has put in the way', () => {
  it('of the log keeps the simulator from starting, and what it leads to stays as it is', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: '' }), 'victim')
    symlinkSync(victim, `${db}.log`)
    await expect(start({ db })).rejects.toThrow(/ELOOP/)
    expect(readFileSync(victim, 'utf8')).toBe('')
  })

  it('of the lock is taken for a lock, and what it leads to stays as it is', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: 'precious' }), 'victim')
    symlinkSync(victim, `${db}.lock`)
    const { close } = await start({ db })
    await close()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })

  it('of the file is replaced, and what it leads to stays as it is', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: '{}' }), 'victim')
    symlinkSync(victim, db)
    const { close } = await start({ db })
    await close()
    expect(readFileSync(victim, 'utf8')).toBe('{}')
    expect(JSON.parse(readFileSync(db, 'utf8'))._edgesim.format).toBe(1)
  })

  it('of the folder of snapshots makes taking one fail', async () => {
    const db = newDb()
    const victim = folderWith({ 'one.json': 'precious' })
    symlinkSync(victim, `${db}.snapshots`)
    const { call } = await start({ db })
    expect((await call('PUT', '/_sim/snapshots/one')).status).toBe(503)
    expect((await call('GET', '/_sim/snapshots')).body.snapshots).toEqual([])
    expect(readFileSync(join(victim, 'one.json'), 'utf8')).toBe('precious')
  })

  it('under a temporary name of others is nothing to us', async () => {
    const db = newDb()
    const victim = join(folderWith({ victim: 'precious' }), 'victim')
    for (const name of ['.db.json.tmp', 'db.json.tmp', 'db.json.log.tmp']) symlinkSync(victim, join(dirname(db), name))
    const { call, close } = await start({ db }, { compactAt: 1 })
    for (let i = 0; i < 5; i++) await call('POST', '/api_keys', {})
    await close()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })
})

describe('Without --db', () => {
  const foldersOf = (pid: number, where = tmpdir()) =>
    readdirSync(where).filter(name => name.startsWith(`edgesim-${pid}-`))

  it('the state is in a private folder of the temporary ones, until the end', async () => {
    const { child, ready, stop } = await startEdgesim()
    expect(foldersOf(child.pid!)).toEqual([])
    await caller(ready.url)('POST', '/api_keys', {})
    const [folder] = foldersOf(child.pid!)
    expect(statSync(join(tmpdir(), folder!)).mode & 0o777).toBe(0o700)
    expect((await stop()).code).toBe(0)
    expect(foldersOf(child.pid!)).toEqual([])
  })

  it('the folder of one that was killed is swept by the next, and no other', async () => {
    const where = folderWith()
    const env = { TMPDIR: where, TEMP: where, TMP: where }
    const living = await startEdgesim([], { env })
    await caller(living.ready.url)('POST', '/api_keys', {})
    const killed = await startEdgesim([], { env })
    await caller(killed.ready.url)('POST', '/api_keys', {})
    await killed.stop('SIGKILL')
    mkdirSync(join(where, 'edgesim-notes'))
    mkdirSync(join(where, `edgesim-${killed.child.pid}-mine`))
    expect(foldersOf(killed.child.pid!, where)).toHaveLength(2)
    const next = await startEdgesim([], { env })
    expect(foldersOf(killed.child.pid!, where)).toEqual([`edgesim-${killed.child.pid}-mine`])
    expect(foldersOf(living.child.pid!, where)).toHaveLength(1)
    expect(existsSync(join(where, 'edgesim-notes'))).toBe(true)
    await next.stop()
  })

  it('and without a temporary folder it is in memory, and a line says so once', async () => {
    const where = join(folderWith({ file: '' }), 'file')
    const { ready, stop, printed } = await startEdgesim([], { env: { TMPDIR: where, TEMP: where, TMP: where } })
    const call = caller(ready.url)
    for (let i = 0; i < 3; i++) expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(6)
    await stop()
    expect(printed.out.match(/the state is kept in memory only: ENOTDIR/g)).toHaveLength(1)
  })

  it('and a disk that fills up it goes on in memory', async () => {
    const writes = { left: 3 }
    const { fileCalls } = await import('../../src/store/file-calls.ts')
    const files = {
      ...fileCalls,
      write: (fd: number, bytes: Uint8Array) => {
        if (writes.left-- <= 0) throw new Error('ENOSPC: full')
        return fileCalls.write(fd, bytes)
      },
    }
    const { call, close, notices } = await start({}, { files })
    for (let i = 0; i < 6; i++) expect((await call('POST', '/api_keys', {})).status).toBe(201)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(9)
    expect(notices.map(({ text }) => text)).toEqual(['the state is kept in memory only: ENOSPC: full'])
    await close()
    expect(foldersOf(process.pid)).toEqual([])
  })
})

it('writes no file of its own anywhere else', async () => {
  const cwd = folderWith()
  writeFileSync(join(cwd, 'keep'), '')
  const { ready, stop } = await startEdgesim([], { cwd })
  await caller(ready.url)('POST', '/api_keys', {})
  await caller(ready.url)('PUT', '/_sim/snapshots/one')
  await stop()
  expect(readdirSync(cwd)).toEqual(['keep'])
})
