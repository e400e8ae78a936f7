import { statSync } from 'node:fs'
import { expect } from 'vitest'
import { pooledClient } from '../../support/raw-http.ts'
import { type Baseline, type Group, LARGE_STATE, type Row } from './row.ts'

const LOAD_MS = 60_000

/** Many changes: undone, written to disk and compacted. */
const rows = ({ send, keys, db, port }: Baseline): Row[] => {
  const size = `${keys} keys`
  const metadata = 'm'.repeat(4_000)
  const write = async (count: number) => {
    const one = (i: number) =>
      send('PATCH', `/api_keys/ak_many_${i % keys}`, { body: { metadata: `${metadata}${Math.random()}` } })
    const first = await one(0)
    for (let i = 1; i < count; i += 8) await Promise.all(Array.from({ length: 8 }, (_, k) => one(i + k)))
    return String(first.headers['edgesim-operation-id'])
  }
  let id = ''
  const prepare = async () => {
    id = await write(900)
  }
  const rewind = () => send('POST', `/_sim/requests/${id}/rewind`)
  const compact = async () => {
    const before = statSync(db).mtimeMs
    // The log is cut when the new file replaces the old one.
    while (statSync(db).mtimeMs === before) await write(200)
  }
  const load: Row = {
    what: 'reads and writes over 32 connections',
    size: `${LOAD_MS / 1000} s`,
    times: 1,
    // The database file is written in one turn.
    bound: LARGE_STATE,
    async act() {
      const client = pooledClient(port, 32)
      const until = performance.now() + LOAD_MS
      const statuses = new Map<number, number>()
      const one = async (i: number) => {
        const path = `/api_keys/ak_many_${i % keys}`
        const write = { method: 'PATCH', path, body: { metadata: `${i}` } }
        const { status } = await client.send(i % 4 === 0 ? write : { method: 'GET', path })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      await Promise.all(
        Array.from({ length: 32 }, async (_, k) => {
          for (let i = k * 7919; performance.now() < until; i += 13) await one(i)
        }),
      )
      client.close()
      console.log(`over 32 connections: ${JSON.stringify(Object.fromEntries(statuses))}`)
      expect([...statuses.keys()]).toEqual([200])
    },
  }
  return [
    { what: 'rewind over 900 changes', size, before: prepare, act: rewind },
    load,
    { what: 'writes until the log is folded into the file', size, act: compact, bound: LARGE_STATE },
  ]
}

export const changes: Group = { name: 'changes', stored: true, rows }
