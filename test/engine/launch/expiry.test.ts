import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Expired, SandboxEvent } from '../../../src/engine/sandbox/index.ts'
import { echo } from '../../ngrok/edges/edges.ts'
import { expectError, openEvents } from '../../support/http.ts'
import { type Simulated, simulate } from '../../support/in-process.ts'
import { bytesOf, dial } from '../../support/raw-http.ts'

/** A simulator that drops unused sandboxes, with a clock that only the test moves. */
async function withTtl(options = {}) {
  const clock = { now: 0 }
  const expired: Expired[] = []
  const onEvent = ({ type, data }: SandboxEvent) => void (type === 'expired' && expired.push(data))
  const simulated = await simulate({ sandboxTtl: '100ms', ...options }, { onEvent, now: () => clock.now })
  const names = () => simulated.sandboxes.list().map(({ name }) => name)
  const create = (name: string, body: object = {}) => simulated.call('PUT', `/_sim/sandboxes/${name}`, body)
  /** Waits until an unused sandbox is dropped, so all others were checked. */
  async function sweep() {
    await create('unused')
    clock.now += 100
    await expect.poll(names).not.toContain('unused')
    return names()
  }
  return { ...simulated, clock, expired, names, create, sweep }
}

describe('--sandbox-ttl', () => {
  it('drops unused sandboxes, except default', async () => {
    const { create, names, clock, call, url } = await withTtl()
    for (const name of ['first', 'second']) await create(name)
    clock.now = 60
    await create('third')
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
    ['an API request', ({ as }) => as('sim_admin~mine')('GET', '/api_keys')],
    ['a control request', ({ call }) => call('GET', '/_sim/sandboxes/mine/clock')],
    ['a lookup', ({ call }) => call('GET', '/_sim/sandboxes/mine')],
    ['a reset', ({ call }) => call('PUT', '/_sim/sandboxes/mine', {})],
  ])('restarts with %s', async (_what, use) => {
    const simulated = await withTtl()
    const { create, names, clock } = simulated
    for (const name of ['mine', 'unused']) await create(name)
    clock.now = 60
    await use(simulated)
    clock.now = 120
    await expect.poll(names).toEqual(['default', 'mine'])
    clock.now = 160
    await expect.poll(names).toEqual(['default'])
  })

  it.each([
    ['to the API', 'POST /api_keys HTTP/1.1\r\nAuthorization: Bearer sim_admin~busy\r\nService-Version: 2'],
    ['to the control plane', 'PUT /_sim/sandboxes/busy/state HTTP/1.1'],
  ])('does not drop a sandbox during a request %s', async (_which, head) => {
    const { create, sweep, sandboxes, port } = await withTtl()
    await create('busy')
    const underWay = () => sandboxes.useOf(sandboxes.get('busy')!).activeRequests
    const { socket } = dial(port)
    socket.write(`${head}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`)
    await expect.poll(underWay).toBe(1)
    expect(await sweep()).toContain('busy')
    expect(await sweep()).toContain('busy')
    socket.destroy()
    await expect.poll(underWay).toBe(0)
    expect(await sweep()).not.toContain('busy')
  })

  it.each<[string, string, object?]>([
    ['for events', 'GET /_sim/sandboxes/left/events'],
    ['for a call that hangs', 'POST /_sim/sandboxes/left/call', { path: '/api_keys', timeout: '60s' }],
    ['that a rule hangs', 'GET /api_keys'],
  ])('drops a sandbox after its client disconnected from pipelined requests %s', async (_which, line, body) => {
    const { create, sweep, port, sandboxes } = await withTtl()
    await create('left', { scenario: { rules: [{ fault: { type: 'hang' } }] } })
    const { socket } = dial(port)
    const [method, path] = line.split(' ') as [string, string]
    socket.write(bytesOf(port, { method, path, token: 'sim_admin~left', body }).toString().repeat(50))
    if (path.endsWith('events')) await once(socket, 'data')
    else await expect.poll(() => sandboxes.useOf(sandboxes.get('left')!).activeRequests).toBeGreaterThan(0)
    expect(await sweep()).toContain('left')
    socket.destroy()
    await expect.poll(sweep).not.toContain('left')
  })

  it('does not drop a sandbox with a connection to its edge', async () => {
    const upstream = await echo()
    const { create, sweep, call } = await withTtl()
    await create('edge', {
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

  it('sends default one event for all sandboxes dropped together', async () => {
    const { url, create, clock, expired } = await withTtl()
    const stream = await openEvents(`${url}/_sim/events`)
    const many = Array.from({ length: 130 }, (_, i) => `sandbox-${String(i).padStart(3, '0')}`)
    for (const name of many) await create(name)
    clock.now = 100
    await stream.until(() => stream.events.some(({ type }) => type === 'expired'))
    const { data } = stream.events.find(({ type }) => type === 'expired')!
    expect(data).toEqual({ count: 130, sandboxes: many.slice(0, 100), unused_for: '100ms' })
    expect(expired).toEqual([data])
  })

  it('is named in the error for an unknown sandbox', async () => {
    const { create, sweep, call } = await withTtl()
    await create('mine')
    await sweep()
    const { msg } = expectError(await call('GET', '/_sim/sandboxes/mine/clock'), 404, 404)
    expect(msg).toMatch(/Sandbox "mine" not found\..* Sandboxes unused for 100ms are dropped \(--sandbox-ttl\)\./)
  })

  it.each(['1 hour', '0s', 'soon', ''])('rejects %j', async sandboxTtl => {
    await expect(simulate({ sandboxTtl })).rejects.toThrow(
      /sandboxTtl: must (be a duration like 30m, 1h or 7d|not be empty)/,
    )
  })
})

it('At the limit of --max-sandboxes, the error names --max-sandboxes and --sandbox-ttl', async () => {
  const { call } = await simulate({ maxSandboxes: 1 })
  const { msg } = expectError(await call('PUT', '/_sim/sandboxes/more', {}), 503, 503)
  expect(msg).toMatch(/limit of 1 .*--max-sandboxes.*--sandbox-ttl/)
})
