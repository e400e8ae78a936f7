import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/contract/journal-entry.ts'
import { simulate } from '../../support/in-process.ts'
import { LONG, LONG_MS } from '../../support/long.ts'
import { forEach, pooledClient, type RawCall } from '../../support/raw-http.ts'

const SANDBOXES = LONG ? 200 : 20
const ROUNDS = LONG ? 100 : 30
const PARALLEL = 32

interface Own {
  name: string
  /** Its clock, and the Date header of its responses. */
  now: string
  date: string
  created: string[]
  operations: string[]
}

const sandboxes = (count: number): Own[] =>
  Array.from({ length: count }, (_, i) => {
    const now = `20${30 + (i % 60)}-01-01T00:00:${String(i % 60).padStart(2, '0')}Z`
    return { name: `sandbox-${i}`, now, date: new Date(now).toUTCString(), created: [], operations: [] }
  })

/** Reads another sandbox's record, which must return 404. */
const readsNeighbour = (round: number) => round % 20 === 19

function callOf({ name, created }: Own, round: number, neighbour: Own): RawCall {
  const token = `sim_admin~${name}`
  const text = `${name} ${round}`
  switch (round % 5) {
    case 0:
      return { method: 'POST', path: '/api_keys', token, body: { description: text } }
    case 1:
      return { method: 'GET', path: '/api_keys?limit=2', token }
    case 2:
      return { method: 'PATCH', path: '/ip_restrictions/ipx_dashboard', token, body: { description: text } }
    case 3:
      return { method: 'PUT', path: '/edges/tcp/edgtcp_ssh/ip_restriction', token, body: { enabled: round % 2 === 0 } }
    default:
      return { method: 'GET', path: `/api_keys/${(readsNeighbour(round) ? neighbour.created : created).at(-1)}`, token }
  }
}

async function simulateAll(all: Own[]) {
  const { port, call } = await simulate({ seed: 'isolation', clock: '2026-01-01T00:00:00Z' })
  for (const { name, now } of all) {
    await call('PUT', `/_sim/sandboxes/${name}`)
    await call('PUT', `/_sim/sandboxes/${name}/clock`, { now, frozen: true })
  }
  const client = pooledClient(port, PARALLEL)
  const wrong: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await forEach(all, PARALLEL, async sandbox => {
      const neighbour = all[(all.indexOf(sandbox) + 1) % all.length]!
      const { status, text, headers } = await client.send(callOf(sandbox, round, neighbour))
      const right =
        status === (readsNeighbour(round) ? 404 : round % 5 === 0 ? 201 : 200) &&
        headers.get('date') === sandbox.date &&
        (round % 5 !== 1 || text.includes(`"description":"${sandbox.name} ${round - 1}"`))
      if (!right) wrong.push(`${sandbox.name} in round ${round}: ${status} ${headers.get('date')} ${text}`)
      sandbox.operations.push(headers.get('edgesim-operation-id')!)
      if (round % 5 === 0) sandbox.created.push(JSON.parse(text).id)
    })
  }
  client.close()
  expect(wrong).toEqual([])
  return call
}

it(
  `Nothing leaks between ${SANDBOXES} sandboxes in ${SANDBOXES * ROUNDS} interleaved requests`,
  async () => {
    const all = sandboxes(SANDBOXES)
    const call = await simulateAll(all)
    await forEach(all, 8, async sandbox => {
      const { name, now, created, operations } = sandbox
      const { body: state } = await call('GET', `/_sim/sandboxes/${name}/state`)
      expect(state.api_keys.slice(3)).toEqual(
        created.map((id, i) => expect.objectContaining({ id, created_at: now, description: `${name} ${i * 5}` })),
      )
      expect(state.ip_restrictions[0].description).toBe(`${name} ${ROUNDS - 3}`)
      const { body: journal } = await call('GET', `/_sim/sandboxes/${name}/requests?limit=1000`)
      expect(journal.requests.map(({ id }: JournalEntry) => id)).toEqual(operations.toReversed())
      expect(journal.requests.map(({ seq }: JournalEntry) => seq)).toEqual(operations.map((_, i) => ROUNDS - i))
      const foreign = journal.requests.filter(
        (entry: JournalEntry) => entry.sandbox !== name || Date.parse(entry.at) !== Date.parse(now),
      )
      expect(foreign).toEqual([])
    })
    const ids = all.flatMap(({ created, operations }) => [...created, ...operations])
    expect(new Set(ids).size).toBe(SANDBOXES * ROUNDS * 1.2)
    expect((await call('GET', '/_sim/requests')).body.requests).toEqual([])
    expect((await call('GET', '/_sim/state')).body.api_keys).toHaveLength(3)

    // A sandbox gets the same ids next to one other sandbox as next to all of them.
    const few = sandboxes(2)
    await simulateAll(few)
    expect(few.map(({ created, operations }) => ({ created, operations }))).toEqual(
      all.slice(0, 2).map(({ created, operations }) => ({ created, operations })),
    )
  },
  LONG_MS,
)
