import http from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxEvent } from '../../../src/engine/sandbox/index.ts'
import { Tables } from '../../../src/engine/state/index.ts'
import { afterwards } from '../../support/afterwards.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { bytesOf, dial } from '../../support/raw-http.ts'
import { newDb } from './support.ts'

const ROUNDS = LONG ? 1000 : 15
const WRITERS = 16

const agent = new http.Agent({ keepAlive: true })
afterwards(() => agent.destroy())

/** Faster than fetch, so many requests are pending. */
const request = (url: string, method: string, path: string, body = '') =>
  new Promise<{ status: number }>((resolve, reject) => {
    const headers = {
      authorization: 'Bearer sim_admin',
      'service-version': '2',
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    }
    const req = http.request(url + path, { method, agent, headers }, res => {
      res.resume().on('end', () => resolve({ status: res.statusCode! }))
    })
    req.on('error', reject)
    // The body comes later, so most requests are incomplete at the reset.
    req.flushHeaders()
    setImmediate(() => req.end(body))
  })

const STATE = {
  users: [{ id: 'usr_admin', admin: true }],
  api_keys: [{ id: 'ak_admin', owner_id: 'usr_admin', token: 'sim_admin' }],
}

/** Actions on the state while clients write. Each must produce exactly its own result. */
const ACTIONS: [name: string, method: string, path: string, body?: object][] = [
  ['a reset', 'POST', '/_sim/reset'],
  ['a new state', 'PUT', '/_sim/state', STATE],
  ['a restored snapshot', 'POST', '/_sim/snapshots/one/restore'],
]

const KINDS = ['without --db', 'with --db and fsync', ...(LONG ? ['with --db'] : [])]

describe.each(KINDS)('While 16 clients write, %s,', kind => {
  it.each(ACTIONS)(
    '%s removes all of the old state',
    async (name, method, path, body) => {
      const db = kind === 'without --db' ? undefined : newDb()
      const states: unknown[] = []
      const onEvent = (event: SandboxEvent) => {
        if (event.type !== 'change' || event.data.cause.kind === 'request') return
        states.push(sandboxes.default.tables.rows())
      }
      const durability = kind.endsWith('fsync') ? 'fsync' : 'log'
      const { url, sandboxes } = await simulate({ db, durability }, { compactAt: 20_000, onEvent })
      const sandbox = sandboxes.default
      await request(url, 'PUT', '/_sim/snapshots/one')
      const statuses = new Set<number>()
      let over = false
      const write = async () => {
        while (!over) statuses.add((await request(url, 'POST', '/api_keys', '{"description":"racing"}')).status)
      }
      const writers = Array.from({ length: WRITERS }, write)
      const rounds = db === undefined ? ROUNDS : Math.ceil(ROUNDS / 3)
      let done = 0
      for (; done < rounds || !statuses.has(201); done++) {
        expect((await request(url, method, path, body && JSON.stringify(body))).status).toBe(204)
        if (name === 'a reset') expect(strangers(sandbox)).toEqual([])
      }
      over = true
      await Promise.all(writers)
      expect(states).toHaveLength(done)
      const wanted = JSON.stringify(new Tables(sandbox.origin.base).rows())
      if (body) for (const state of states) expect(state).toMatchObject({ api_keys: [{ id: 'ak_admin' }], bots: [] })
      else expect(states.filter(state => JSON.stringify(state) !== wanted)).toEqual([])
      expect([...statuses].filter(status => status !== 201 && status !== 503)).toEqual([])
    },
    LONG_MS,
  )
})

/** Changes by requests from before the reset, which cleared the journal. */
const strangers = ({ history, journal }: Sandbox) =>
  history.changes.filter(({ cause }) => cause.kind === 'request' && !journal.get(cause.id!))

describe('A request that began before a reset', () => {
  /** Sends a create without its end, and the rest on demand. */
  async function halfSent(port: number) {
    const body = '{"description":"late"}'
    const { socket, said, closed } = dial(port)
    const length = `Content-Length: ${body.length}`
    const headers = ['Content-Type: application/json', 'Connection: close', 'Expect: 100-continue', length]
    socket.write(bytesOf(port, { method: 'POST', path: '/api_keys', headers }))
    await expect.poll(said).toContain('100 Continue')
    return async () => {
      socket.end(body)
      await closed
      return said().slice(said().lastIndexOf('HTTP/1.1 '))
    }
  }

  it.each([
    ['reset', 'POST', '/_sim/reset'],
    ['reset through its name', 'PUT', '/_sim/sandboxes/default'],
  ])('gets 503 and writes nothing if it ends after the %s', async (_, method, path) => {
    const { port, call } = await simulate()
    const finish = await halfSent(port)
    expect((await call(method, path)).status).toBeLessThan(300)
    expect(await finish()).toMatch(/^HTTP\/1\.1 503 [\s\S]*ERR_EDGESIM_503[\s\S]*reset or dropped during this request/)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(3)
  })

  it('is executed if no reset comes', async () => {
    const { port, call } = await simulate()
    const finish = await halfSent(port)
    expect(await finish()).toMatch(/^HTTP\/1\.1 201 /)
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(4)
  })
})
