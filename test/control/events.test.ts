import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { EventHub } from '../../src/control/journal/event-hub.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { afterwards } from '../support/afterwards.ts'
import { listening, openEvents, type ServerEvent } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { bytesOf, dial } from '../support/raw-http.ts'

const { call, as, url, port } = await simulate()

/** A new sandbox, and a way to read its events. */
async function worldOf(name: string) {
  await call('PUT', `/_sim/sandboxes/${name}`)
  const path = `/_sim/sandboxes/${name}`
  return {
    api: as(`sim_admin~${name}`),
    path,
    listen: (lastEventId?: string) =>
      openEvents(`${url}${path}/events`, lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
}
const typesOf = (events: ServerEvent[]) => events.map(({ type }) => type)

describe('Events', () => {
  it('report changes and requests as they happen', async () => {
    const { api, listen } = await worldOf('told')
    const { answer: response, events, untilCount } = await listen()
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const made = await api('POST', '/api_keys', { description: 'x' })
    await untilCount(2)
    const [change, request] = events
    expect(change).toMatchObject({
      type: 'change',
      data: { seq: 1, cause: { kind: 'request', id: request!.data.id }, ops_left_out: 0 },
    })
    expect(change!.data.ops).toEqual([
      { table: 'api_keys', id: made.body.id, before: null, after: expect.objectContaining({ description: 'x' }) },
    ])
    expect(request).toMatchObject({
      type: 'request',
      data: {
        id: made.headers.get('edgesim-operation-id'),
        operation: 'create_api_key',
        status: 201,
        change: { seq: 1 },
        explanation: { decided_by: 'operation' },
      },
    })
    expect(request!.data).not.toHaveProperty('request')
    expect(request!.data).not.toHaveProperty('response')
  })

  it('report warnings, control plane writes and a reset', async () => {
    const { api, listen, path } = await worldOf('all-kinds')
    const { events, untilCount } = await listen()
    await api('POST', '/ip_restrictions', { type: 'api', ip_policy_ids: ['ipp_office'] })
    await api('GET', '/api_keys')
    await call('PATCH', `${path}/db/users/usr_member`, { name: 'Renamed' })
    await call('POST', `${path}/reset`)
    await untilCount(7)
    expect(typesOf(events)).toEqual(['change', 'request', 'warning', 'request', 'change', 'change', 'reset'])
    expect(events[2]!.data).toEqual({ operation_id: events[3]!.data.id, text: expect.stringContaining('127.0.0.1') })
    expect(events[4]!.data.cause).toEqual({ kind: 'record', id: 'usr_member' })
    expect(events[5]!.data.cause).toEqual({ kind: 'reset' })
  })

  it('come from one sandbox only, from default at /_sim/events', async () => {
    const { api, listen } = await worldOf('one')
    const [here, there] = [await listen(), await openEvents(`${url}/_sim/events`)]
    await call('GET', '/api_keys/ak_nobody')
    await api('GET', '/api_keys')
    await call('GET', '/ip_restrictions')
    await here.untilCount(1)
    await there.untilCount(2)
    const seen = ({ events }: typeof here) => events.map(({ data }) => `${data.sandbox} ${data.operation}`)
    expect(seen(here)).toEqual(['one list_api_keys'])
    expect(seen(there)).toEqual(['default get_api_key', 'default list_ip_restrictions'])
  })

  it('of a large change contain its first 100 steps and the number of others', async () => {
    const { listen, path } = await worldOf('large')
    const { events, untilCount } = await listen()
    const users = Array.from({ length: 250 }, (_, i) => ({ id: `usr_${i}`, name: 'U' }))
    await call('PUT', `${path}/state`, { users })
    await untilCount(1)
    expect(events[0]!.data.ops).toHaveLength(100)
    expect(events[0]!.data.ops.length + events[0]!.data.ops_left_out).toBeGreaterThan(250)
  })

  it('support HEAD without a stream', async () => {
    const { socket, said } = dial(port)
    socket.write(bytesOf(port, { method: 'HEAD', path: '/_sim/events' }))
    socket.write(bytesOf(port, { path: '/_sim/health' }))
    await expect.poll(said).toContain('"status":"ok"')
    expect(said()).toMatch(/^HTTP\/1\.1 200.*text\/event-stream/s)
  })
})

describe('A reader that reconnects', () => {
  it('gets a missed event unless it has seen the last one', async () => {
    const { api, listen } = await worldOf('resumed')
    const first = await listen()
    await api('GET', '/api_keys')
    await first.untilCount(1)
    first.leave()
    const second = await listen(first.events[0]!.id)
    await api('GET', '/api_keys')
    await second.untilCount(1)
    second.leave()
    expect(typesOf(second.events)).toEqual(['request'])
    const third = await listen(first.events[0]!.id)
    await third.untilCount(1)
    expect(third.events[0]).toMatchObject({ type: 'missed', data: {} })
  })

  it.each(['7', 'nonsense', '-1', '', '99999999'])('gets a missed event for the unknown id %j', async id => {
    const { api, listen } = await worldOf('foreign')
    const { events, untilCount } = await listen(id || ' ')
    await api('GET', '/api_keys')
    await untilCount(1)
    expect(events[0]!.type).toBe(id === '' ? 'request' : 'missed')
  })

  it('gets a missed event if the sandbox was created again', async () => {
    const { api, listen } = await worldOf('anew')
    const first = await listen()
    await api('GET', '/api_keys')
    await api('GET', '/api_keys')
    await first.untilCount(2)
    await call('DELETE', '/_sim/sandboxes/anew')
    await first.ended
    const again = await worldOf('anew')
    for (const _ of Array(3)) await again.api('GET', '/ip_restrictions')
    const second = await again.listen(first.events[0]!.id)
    await second.untilCount(1)
    expect(typesOf(second.events)).toEqual(['missed'])
  })
})

describe('An event stream', () => {
  /** A hub with a server and readers. */
  async function serveHub(hub: EventHub, first = async (_: IncomingMessage) => {}) {
    const readers: ServerResponse[] = []
    const server = createServer(async (req, res) => {
      await first(req)
      hub.subscribe('default', res, undefined)
      readers.push(res)
    })
    afterwards(() => hub.close())
    return { readers, port: await listening(server) }
  }

  it('has a heartbeat', async () => {
    const hub = new EventHub({ heartbeatMs: 5 })
    const beats: string[] = []
    hub.onBeat = name => beats.push(name)
    const { port } = await serveHub(hub)
    const { comments, until, events } = await openEvents(`http://127.0.0.1:${port}`)
    await until(() => comments.length >= 3)
    expect(events).toEqual([])
    expect(beats.slice(0, 2)).toEqual(['default', 'default'])
  })

  it('is closed if its reader does not read, while others continue', async () => {
    const hub = new EventHub()
    const { readers, port } = await serveHub(hub)
    const { socket: slow } = dial(port)
    slow.pause().write(bytesOf(port, { path: '/' }))
    await expect.poll(() => readers).toHaveLength(1)
    const reader = await openEvents(`http://127.0.0.1:${port}`)
    const data = { operation_id: 'op_1', text: 'x'.repeat(500_000) }
    // System buffers differ, so events are sent until the stream closes.
    let sent = 0
    while (!readers[0]!.destroyed) {
      hub.publish({ type: 'warning', sandbox: 'default', data })
      await reader.untilCount(++sent)
    }
    hub.publish({ type: 'reset', sandbox: 'default', data: {} })
    await reader.untilCount(sent + 1)
    expect(readers[1]!.destroyed).toBe(false)
  })

  it('is not kept for a client that disconnected before it started', async () => {
    const hub = new EventHub()
    const { port, readers } = await serveHub(hub, async ({ socket }) => {
      socket.destroy()
      await once(socket, 'close')
    })
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
    await expect.poll(() => readers).toHaveLength(1)
    expect(hub.isRead('default')).toBe(false)
  })

  it('ends when the simulator closes, without delaying that', async () => {
    const simulator = await runSimulator({ port: 0, stopGrace: '1h' })
    const readers = await Promise.all(Array.from({ length: 5 }, () => openEvents(`${simulator.url}/_sim/events`)))
    await expect(Promise.all([simulator.close(), ...readers.map(({ ended }) => ended)])).resolves.toHaveLength(6)
  })
})
