import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { afterwards } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { openEvents } from '../support/http.ts'
import { pooledClient } from '../support/raw-http.ts'
import { report } from './measure.ts'

const WHOLE = 'GET /_sim/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
const HALF = 'POST /api_keys HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"descr'

async function openSockets(count: number, port: number, text: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  afterwards(() => sockets.forEach(socket => void socket.destroy()))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write(text)
  return sockets
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const reportTime = (what: string, ms: number, most: number) =>
  report(what, `${Math.round(ms)} ms`, `≤ ${most} ms`, ms <= most)

it('stops in two seconds with 200 idle connections and 50 half-sent requests', async () => {
  const { ready, child, ended } = await startEdgesim()
  const port = Number(new URL(ready.url).port)
  const idle = await openSockets(200, port, WHOLE)
  await Promise.all(idle.map(socket => once(socket, 'data')))
  await openSockets(50, port, HALF)
  const took = await timed(async () => {
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })
  reportTime('stop with 200 idle and 50 half-sent', took, 2000)
})

it('ends streams and hanging requests immediately', async () => {
  const scenario = { rules: [{ when: { method: 'POST' }, fault: { type: 'hang' } }] }
  const simulator = await runSimulator({ port: 0, scenario })
  const readers = await Promise.all(Array.from({ length: 5 }, () => openEvents(`${simulator.url}/_sim/events`)))
  await openSockets(20, simulator.port, HALF.replace('100', '2').replace('{"descr', '{}'))
  reportTime('close with 5 streams and 20 hanging', await timed(simulator.close), 1500)
  await Promise.all(readers.map(({ ended }) => ended))
})

it('responds in time despite 400 slow clients', async () => {
  const simulator = await runSimulator({ port: 0 })
  const slow = [
    ...(await openSockets(200, simulator.port, HALF.slice(0, 40))),
    ...(await openSockets(200, simulator.port, HALF)),
  ]
  const client = pooledClient(simulator.port, 4)
  const times: number[] = []
  for (let round = 0; round < 400; round++) {
    slow[round]!.write('x')
    times.push(await timed(() => client.send({ method: 'GET', path: '/api_keys' })))
  }
  client.close()
  await simulator.close()
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  report('p99 with 400 slow clients', `${p99.toFixed(1)} ms`, '≤ 100 ms', p99 <= 100)
  expect(times).toHaveLength(400)
})
