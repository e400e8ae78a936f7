import { statSync } from 'node:fs'
import type { Ground, Group, Row } from './row.ts'

/** Many changes: undone, written to disk, and folded into the file. */
const rows = ({ send, keys, db }: Ground): Row[] => {
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
    // The log is cut in the moment in which the new file takes the place of the old.
    while (statSync(db).mtimeMs === before) await write(200)
  }
  const inMemory: Row[] = [{ what: 'rewind over 900 changes', size, before: prepare, act: rewind }]
  return db ? [...inMemory, { what: 'writes until the log is folded into the file', size, act: compact }] : inMemory
}

export const changes: Group = { name: 'changes', rows }
export const storedChanges: Group = { name: 'changes with --db', stored: true, rows }
