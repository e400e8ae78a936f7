import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { startSimulator } from '../../../src/index.ts'
import { subscribe } from '../../support/events.ts'
import { answering, listening, openEvents } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

/** An event receiver. The test sends each response. */
async function receiver() {
  const server = createServer()
  const port = await listening(server)
  async function next() {
    const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
    return { headers: req.headers, res, body: (await json(req)) as Record<string, unknown> }
  }
  return { next, url: `http://127.0.0.1:${port}/hook` }
}

const { next, url: deliverTo } = await receiver()
const { call, as, url } = await simulate({ deliverTo })

async function sandbox(name: string, scenario?: object) {
  await call('PUT', `/_sim/sandboxes/${name}`, scenario && { scenario })
  const api = as(`sim_admin~${name}`)
  const { destinations } = await subscribe(api, ['ip_policy_created.v0'])
  const stream = await openEvents(`${url}/_sim/sandboxes/${name}/events`)
  let seen = 0
  /** The next delivery that is no longer pending. */
  async function outcome() {
    const known = () =>
      stream.events.filter(({ type, data }) => type === 'delivery' && data.status !== 'pending').map(({ data }) => data)
    await stream.until(() => known().length > seen)
    return known()[seen++]
  }
  return { api, outcome, destination: destinations[0]! }
}

it('Events for the same destination are posted in order', async () => {
  const { api, outcome, destination } = await sandbox('order')
  const first = next()
  // API responses do not wait for the receiver.
  await api('POST', '/ip_policies', { description: 'one' })
  await api('POST', '/ip_policies', { description: 'two' })
  const { headers, body, res } = await first
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'edgesim-destination': destination,
    'edgesim-event-id': body.event_id,
    'edgesim-sandbox': 'order',
  })
  expect(body).toMatchObject({ event_type: 'ip_policy_created.v0', object: { description: 'one' } })
  const pending = await call('GET', '/_sim/sandboxes/order/deliveries')
  expect(pending.body.deliveries).toMatchObject([
    { status: 'pending', attempts: 0 },
    { status: 'pending', attempts: 1 },
  ])
  const second = next()
  res.writeHead(202).end()
  expect(await outcome()).toMatchObject({ id: body.event_id, status: 'delivered', answer: 202, attempts: 1 })
  const after = await second
  expect(after.body).toMatchObject({ object: { description: 'two' } })
  after.res.end()
  expect(await outcome()).toMatchObject({ status: 'delivered' })
})

it('An event is retried after 503 and a broken connection, but not after 404', async () => {
  const { api, outcome } = await sandbox('retry')
  const responses = [
    (res: ServerResponse) => res.writeHead(503).end(),
    (res: ServerResponse) => res.destroy(),
    (res: ServerResponse) => res.end(),
    (res: ServerResponse) => res.writeHead(404).end(),
  ]
  const seen: unknown[] = []
  const receive = (async () => {
    for (const response of responses) {
      const { body, res } = await next()
      seen.push(body.event_id)
      response(res)
    }
  })()
  await api('POST', '/ip_policies', {})
  expect(await outcome()).toMatchObject({ status: 'delivered', attempts: 3, answer: 200, failure: null })
  await api('POST', '/ip_policies', {})
  expect(await outcome()).toMatchObject({ status: 'failed', attempts: 1, answer: 404, failure: expect.any(String) })
  await receive
  expect(new Set(seen.slice(0, 3)).size).toBe(1)
})

it.each([
  ['101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other', 101],
  ['000 Nothing\r\nContent-Length: 0', 0],
])('An event with the response %s is not delivered', async (head, response) => {
  const deliverTo = await answering(head)
  const simulator = await simulate({ deliverTo })
  await subscribe(simulator.call, ['ip_policy_created.v0'])
  await simulator.call('POST', '/ip_policies', {})
  const deliveries = async () => (await simulator.call('GET', '/_sim/deliveries')).body.deliveries
  await expect.poll(deliveries).toMatchObject([{ status: 'failed', attempts: 1, answer: response }])
})

it.each([
  ['an active delivery', 'active', undefined],
  ['a delivery with an endless response body', 'endless', 'more'],
])('A reset ends %s', async (_, name, started) => {
  const { api } = await sandbox(name)
  const arrived = next()
  await api('POST', '/ip_policies', {})
  const { res } = await arrived
  const closed = once(res, 'close')
  if (started) res.write(started)
  await call('POST', `/_sim/sandboxes/${name}/reset`)
  await closed
  expect((await call('GET', `/_sim/sandboxes/${name}/deliveries`)).body.deliveries).toEqual([])
})

it('An attempt that a scenario rule fails is retried', async () => {
  const when = { delivery: 'ip_policy_created.v0', calls: 1 }
  const { api, outcome } = await sandbox('ruled', { rules: [{ when, fault: { type: 'error', status: 500 } }] })
  const arrived = next()
  await api('POST', '/ip_policies', {})
  ;(await arrived).res.end()
  expect(await outcome()).toMatchObject({
    status: 'delivered',
    attempts: 2,
    rules: [{ fired: true }, { fired: false }],
  })
})

it('The host is resolved only at startup, because a later result could be any address', async () => {
  const own = await receiver()
  const simulator = await simulate({ deliverTo: own.url.replace('127.0.0.1', 'localhost') })
  const spy = vi.spyOn(dns, 'lookup')
  await subscribe(simulator.call, ['ip_policy_created.v0'])
  const arrived = own.next()
  await simulator.call('POST', '/ip_policies', {})
  const { headers, res } = await arrived
  expect(headers.host).toMatch(/^localhost:\d+$/)
  res.end()
  expect(spy.mock.calls.map(([host]) => host)).not.toContain('localhost')
  spy.mockRestore()
})

it('Closing the simulator ends an active delivery', async () => {
  const own = await receiver()
  const simulator = await simulate({ deliverTo: own.url })
  await subscribe(simulator.call, ['ip_policy_created.v0'])
  const arrived = own.next()
  await simulator.call('POST', '/ip_policies', {})
  const { res } = await arrived
  const closed = once(res, 'close')
  await simulator.close()
  await closed
})

it.each([
  ['http://192.0.2.1/hook', /192\.0\.2\.1 is not on this machine.*--allow-upstream 192\.0\.2\.1/],
  ['ftp://127.0.0.1/', /deliverTo: must be an http or https URL/],
  ['http://user:secret@127.0.0.1/', /without a user name or password/],
])('%s is rejected at startup', async (deliverTo, message) => {
  await expect(startSimulator({ deliverTo })).rejects.toThrow(message)
})
