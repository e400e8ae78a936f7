import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Expired, SandboxEvent } from '../../src/sandbox/index.ts'
import { expectError, openEvents } from '../support/http.ts'
import { type Simulated, simulate } from '../support/in-process.ts'
import { bytesOf, dial } from '../support/raw-http.ts'
import { echo } from '../traffic/edges.ts'

/** A simulator that looks for unused sandboxes all the time, on a clock that only the test moves. */
async function withTtl(options = {}) {
  const clock = { now: 0 }
  const expired: Expired[] = []
  const onEvent = ({ type, data }: SandboxEvent) => void (type === 'expired' && expired.push(data))
  const simulated = await simulate({ sandboxTtl: '100ms', ...options }, { onEvent, now: () => clock.now })
  const names = () => simulated.sandboxes.list().map(({ name }) => name)
  const make = (name: string, body: object = {}) => simulated.call('PUT', `/_sim/sandboxes/${name}`, body)
  /** Waits until an unused sandbox is dropped: then the others were checked too. */
  async function sweep() {
    await make('unused')
    clock.now += 100
    await expect.poll(names).not.toContain('unused')
    return names()
  }
  return { ...simulated, clock, expired, names, make, sweep }
}

/** Sends the head of a request whose body never comes. */
function begin({ port }: Simulated, head: string) {
  const { socket } = dial(port)
  socket.write(`${head}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`)
  return socket
}

describe('--sandbox-ttl', () => {
  it('drops sandboxes that were not used for that time, but never default', async () => {
    const { make, names, clock, call, url } = await withTtl()
    for (const name of ['first', 'second']) await make(name)
    clock.now = 60
    await make('third')
    clock.now = 100
    await expect.poll(names).toEqual(['default', 'third'])
    const { body } = await call('GET', '/_sim/info')
    expect(body.sandboxes).toEqual({ count: 2, most: 10_000, expired: 2 })
    const metrics = await (await fetch(`${url}/_sim/metrics`)).text()
    expect(metrics).toContain('\nedgesim_sandboxes 2\n')
    expect(metrics).toContain('\nedgesim_sandboxes_expired_total 2\n')
    expect(body.options.sandboxTtl).toBe('100ms')
  })

  it.each<[string, (simulated: Simulated) => Promise<unknown>]>([
    ['a request of the API', ({ as }) => as('sim_admin~mine')('GET', '/api_keys')],
    ['a question of the control plane', ({ call }) => call('GET', '/_sim/sandboxes/mine/clock')],
    ['looking it up', ({ call }) => call('GET', '/_sim/sandboxes/mine')],
    ['a reset', ({ call }) => call('PUT', '/_sim/sandboxes/mine', {})],
  ])('restarts with %s', async (_what, use) => {
    const simulated = await withTtl()
    const { make, names, clock } = simulated
    for (const name of ['mine', 'unused']) await make(name)
    clock.now = 60
    await use(simulated)
    clock.now = 120
    await expect.poll(names).toEqual(['default', 'mine'])
    clock.now = 160
    await expect.poll(names).toEqual(['default'])
  })

  it('keeps a sandbox whose events are read, until the reader has left for that time', async () => {
    const { make, sweep, url } = await withTtl()
    await make('watched')
    const stream = await openEvents(`${url}/_sim/sandboxes/watched/events`)
    expect(await sweep()).toContain('watched')
    expect(await sweep()).toContain('watched')
    stream.leave()
    await expect.poll(sweep).not.toContain('watched')
  })

  it.each([
    ['of the API', 'POST /api_keys HTTP/1.1\r\nAuthorization: Bearer sim_admin~busy\r\nService-Version: 2'],
    ['of the control plane', 'PUT /_sim/sandboxes/busy/state HTTP/1.1'],
  ])('keeps a sandbox with a request %s under way, until it is over', async (_which, head) => {
    const simulated = await withTtl()
    const { make, sweep, sandboxes } = simulated
    await make('busy')
    const underWay = () => sandboxes.get('busy')!.activeRequests
    const socket = begin(simulated, head)
    await expect.poll(underWay).toBe(1)
    expect(await sweep()).toContain('busy')
    expect(await sweep()).toContain('busy')
    socket.destroy()
    await expect.poll(underWay).toBe(0)
    expect(await sweep()).not.toContain('busy')
  })

  it('keeps a sandbox with a request that a rule lets hang', async () => {
    const { make, sweep, as, sandboxes, call } = await withTtl()
    const rules = [{ when: { method: 'POST' }, fault: { type: 'hang' } }]
    await make('stuck', { scenario: { name: 'stuck', rules } })
    const hanging = as('sim_admin~stuck')('POST', '/api_keys', {})
    await expect.poll(() => sandboxes.get('stuck')!.activeRequests).toBe(1)
    expect(await sweep()).toContain('stuck')
    await call('POST', '/_sim/sandboxes/stuck/reset')
    expect((await hanging).status).toBe(503)
    expect(await sweep()).not.toContain('stuck')
  })

  it.each<[string, string, object?]>([
    ['for events', 'GET /_sim/sandboxes/left/events'],
    ['for a call that hangs', 'POST /_sim/sandboxes/left/call', { path: '/api_keys', timeout: '60s' }],
    ['that a rule lets hang', 'GET /api_keys'],
  ])('drops a sandbox whose client left pipelined requests %s', async (_which, line, body) => {
    const { make, sweep, port, sandboxes } = await withTtl()
    await make('left', { scenario: { rules: [{ fault: { type: 'hang' } }] } })
    const { socket } = dial(port)
    const [method, path] = line.split(' ') as [string, string]
    socket.write(bytesOf(port, { method, path, token: 'sim_admin~left', body }).toString().repeat(50))
    if (path.endsWith('events')) await once(socket, 'data')
    else await expect.poll(() => sandboxes.get('left')!.activeRequests).toBeGreaterThan(0)
    expect(await sweep()).toContain('left')
    socket.destroy()
    await expect.poll(sweep).not.toContain('left')
  })

  it('keeps a sandbox with a connection to its edge', async () => {
    const upstream = await echo()
    const { make, sweep, call } = await withTtl()
    await make('edge', {
      fixture: {
        users: [{ id: 'usr_admin', admin: true }],
        tcp_edges: [{ id: 'edgtcp_echo', listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream}` }],
      },
    })
    const { body } = await call('GET', '/_sim/sandboxes/edge/traffic')
    const { socket } = dial(body.listeners[0].port)
    socket.write('hello')
    await once(socket, 'data')
    expect(await sweep()).toContain('edge')
    expect(await sweep()).toContain('edge')
    socket.destroy()
    await expect.poll(sweep).not.toContain('edge')
  })

  it('sends one event to default for all sandboxes that were dropped together', async () => {
    const { url, make, clock, expired } = await withTtl()
    const stream = await openEvents(`${url}/_sim/events`)
    const many = Array.from({ length: 130 }, (_, i) => `sandbox-${String(i).padStart(3, '0')}`)
    for (const name of many) await make(name)
    clock.now = 100
    await stream.until(() => stream.events.some(({ type }) => type === 'expired'))
    const { data } = stream.events.find(({ type }) => type === 'expired')!
    expect(data).toEqual({ count: 130, sandboxes: many.slice(0, 100), unused_for: '100ms' })
    expect(expired).toEqual([data])
  })

  it('is named when a sandbox that does not exist is asked for', async () => {
    const { make, sweep, call } = await withTtl()
    await make('mine')
    await sweep()
    const { msg } = expectError(await call('GET', '/_sim/sandboxes/mine/clock'), 404, 404)
    expect(msg).toMatch(/Sandbox "mine" not found\..* Sandboxes unused for 100ms are dropped \(--sandbox-ttl\)\./)
  })

  it.each(['1 hour', '0s', 'soon', ''])('refuses %j', async sandboxTtl => {
    await expect(simulate({ sandboxTtl })).rejects.toThrow(
      /sandboxTtl: must (be a duration like 30m, 1h or 7d|not be empty)/,
    )
  })
})

describe('At the limit of --max-sandboxes', () => {
  it('the refusal names --max-sandboxes and --sandbox-ttl', async () => {
    const { call } = await simulate({ maxSandboxes: 1 })
    const { msg } = expectError(await call('PUT', '/_sim/sandboxes/more', {}), 503, 503)
    expect(msg).toMatch(/limit of 1 .*--max-sandboxes.*--sandbox-ttl/)
  })
})
