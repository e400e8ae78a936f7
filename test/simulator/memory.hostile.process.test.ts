import { describe, expect, it } from 'vitest'
import { afterwards } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { LONG, LONG_MS } from '../support/long.ts'
import { Connection, type RawCall } from '../support/raw-http.ts'
import { manyKeys } from './loop/row.ts'
import { openLazyReaders } from './memory/lazy-readers.ts'
import { mixed } from './memory/mix.ts'
import { memoryOf } from './memory/resident.ts'

const say = (text: string) => console.log(text)

function open(port: number) {
  const connection = new Connection(port)
  afterwards(() => connection.close())
  return connection
}

async function start(args: string[] = []) {
  const { child, ready } = await startEdgesim(args)
  // Collecting its output would take memory here.
  child.stdout.removeAllListeners('data').resume()
  const port = Number(new URL(ready.url).port)
  return { port, connection: open(port), memory: memoryOf(child.pid!) }
}

type Started = Awaited<ReturnType<typeof start>>

/** Sends `count` calls, which must succeed, with a sample after every fourth. */
async function repeat(count: number, { connection, memory }: Started, make: (i: number) => RawCall) {
  for (let i = 0; i < count; i++) {
    const [reply] = await connection.send([make(i)])
    expect([200, 201, 204]).toContain(reply!.status)
    if (i % 4 === 3) memory.sample()
  }
}

const sayEvery = (what: string, { memory }: Started) =>
  say(`${what}: ${memory.samples.filter((_, i) => i % 25 === 4).map(Math.round)} MB`)

// A short run shows nothing, because memory first grows in every process.
describe.runIf(LONG)('Memory', () => {
  const requests = 500_000

  it(
    `does not grow with ${requests} requests of all kinds`,
    async () => {
      const { port, connection, memory } = await start(['--max-sandboxes', '200'])
      const readers = openLazyReaders(port, ['/_sim/events', '/_sim/events', '/_sim/sandboxes/default/events'])
      const statuses = new Map<number, number>()
      const other = open(port)
      const latest = new Map([connection, other].map(each => [each, 'op_none']))
      const sendMixed = async (each: Connection, round: number) => {
        const replies = await each.send(mixed(round, latest.get(each)!))
        for (const { headers } of replies) latest.set(each, headers.get('edgesim-operation-id') ?? latest.get(each)!)
        return replies
      }
      for (let sent = 0; sent < requests; sent += 200) {
        const round = sent / 100
        const replies = await Promise.all([sendMixed(connection, round), sendMixed(other, round + 1)])
        for (const { status } of replies.flat()) statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (sent % 1_000 === 0) memory.sample()
        if (sent % 50_000 === 0) say(`after ${sent} requests: ${memory.sample()}`)
      }
      say(`at the end: ${memory.sample()}; ${JSON.stringify({ ...Object.fromEntries(statuses), readers })}`)
      expect(statuses.get(500)).toBeUndefined()
      for (const status of [200, 201, 204, 400, 401, 404]) expect(statuses.get(status)).toBeGreaterThan(0)
      expect(memory.growth(50, 50)).toBeLessThan(50)
    },
    LONG_MS,
  )

  const states = 1_000

  it(
    `does not grow with ${states} states of 1 MB, each replacing the last`,
    async () => {
      const simulator = await start()
      const texts = [1, 2, 3].map(i => manyKeys(6_600, `, ${i}`).toString())
      await repeat(states, simulator, i => ({ method: 'PUT', path: '/_sim/state', body: texts[i % 3]! }))
      sayEvery('states', simulator)
      expect(simulator.memory.growth(5)).toBeLessThan(150)
    },
    LONG_MS,
  )

  const writes = 800

  it(
    `does not grow with ${writes} changes of 0.4 MB after the only event reader disconnected`,
    async () => {
      const simulator = await start()
      const response = await fetch(`http://127.0.0.1:${simulator.port}/_sim/events`)
      await response.body!.cancel()
      const add = (i: number) =>
        Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`X-${k}`, `${i}`.repeat(4096)]))
      const bodies = [1, 2, 3].map(i =>
        JSON.stringify({ routes: [{ id: 'edghtsrt_large', request_headers: { add: add(i) } }] }),
      )
      const path = '/_sim/db/https_edges/edghts_large'
      await repeat(writes, simulator, i => ({ method: 'PUT', path, body: bodies[i % 3]! }))
      sayEvery(`changes of ${bodies[0]!.length} bytes`, simulator)
      expect(simulator.memory.growth(5)).toBeLessThan(150)
    },
    LONG_MS,
  )

  const [sandboxes, each] = [10_000, 100]

  it(
    `remains below 400 MB with ${sandboxes} sandboxes of ${each} requests each, with fast responses`,
    async () => {
      const { port, memory } = await start(['--max-sandboxes', String(sandboxes + 1)])
      const times: number[] = []
      let sent = 0
      const client = async () => {
        const connection = open(port)
        while (sent < sandboxes * each) {
          const i = sent++
          const token = `sim_admin~s${i % sandboxes}`
          const isWrite = Math.floor(i / sandboxes) % 10 === 0
          const began = performance.now()
          const [reply] = await connection.send([
            isWrite
              ? { method: 'POST', path: '/api_keys', body: '{"description":"one of many"}', token }
              : { method: 'GET', path: '/api_keys/ak_ci', token },
          ])
          times.push(performance.now() - began)
          if (reply!.status !== (isWrite ? 201 : 200)) throw new Error(`the response has status ${reply!.status}`)
          if (i % 10_000 === 0) memory.sample()
          if (i % 100_000 === 0) say(`after ${i} requests to ${sandboxes} sandboxes: ${memory.sample()}`)
        }
      }
      await Promise.all(Array.from({ length: 8 }, client))
      memory.sample()
      times.sort((a, b) => a - b)
      const slowest = times[Math.floor(times.length * 0.999)]!
      const most = Math.max(...memory.samples)
      say(`at most ${Math.round(most)} MB; p99.9 ${slowest.toFixed(1)} ms, longest ${times.at(-1)!.toFixed(1)} ms`)
      expect(times).toHaveLength(sandboxes * each)
      expect(most).toBeLessThan(400)
      expect(slowest).toBeLessThan(50)
    },
    LONG_MS,
  )
})
