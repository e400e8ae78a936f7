import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { LONG, LONG_MS } from '../support/long.ts'

const ROUNDS = LONG ? 1_000 : 20
/** Rounds until all code is compiled. */
const WARM_UP = LONG ? 500 : 5
const MOST_GROWTH = 5 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function open(url: string, authorization = 'Bearer sim_admin') {
  const request = get(url, { agent: false, headers: { authorization, 'service-version': '2' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  return response
}

/** Starts a simulator, uses everything that needs cleanup, and closes it. */
async function round() {
  const { url, close, sandboxes } = await runSimulator({ port: 0, sandboxTtl: '1h' })
  await text(await open(`${url}/api_keys`))
  await text(await open(`${url}/api_keys`, 'Bearer sim_admin~another'))
  await text(await open(`${url}/_sim/state`))
  await text(await open(`${url}/_sim/metrics`))
  const events = await open(`${url}/_sim/events`)
  await Promise.all([close(), text(events)])
  return new WeakRef(sandboxes)
}

function look() {
  const open = process.getActiveResourcesInfo().filter(name => /^(TCP|Pipe|TLS|FS|Timeout|Immediate)/.test(name))
  const listeners = process.eventNames().map(name => [name, process.listenerCount(name)])
  return { open: open.length, listeners: Object.fromEntries(listeners) }
}

async function heap() {
  // The last awaited value is released in the next turn.
  for (let turn = 0; turn < 3; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}

it(
  `${ROUNDS} simulators started and closed in one process leave no memory or handles in use`,
  async () => {
    for (let i = 0; i < WARM_UP; i++) await round()
    const [before, used] = [look(), await heap()]
    const closed: WeakRef<object>[] = []
    for (let i = 0; i < ROUNDS; i++) closed.push(await round())
    const grown = (await heap()) - used
    expect(closed.filter(ref => ref.deref() !== undefined)).toHaveLength(0)
    expect(grown).toBeLessThan(MOST_GROWTH)
    await expect.poll(() => look().open).toBeLessThanOrEqual(before.open)
    expect(look().listeners).toEqual(before.listeners)
    if (LONG) console.log(`${ROUNDS} simulators started and closed: the heap grows by ${Math.round(grown / 1024)} KB`)
  },
  LONG_MS,
)
