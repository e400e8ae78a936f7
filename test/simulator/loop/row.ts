import type { Send } from './client.ts'

/** Something the simulator is asked for, during which others must not have to wait. */
export interface Row {
  what: string
  /** What it is done with. */
  size: string
  /** What is done each time before it, and not looked at. */
  before?: () => unknown
  act: (time: number) => unknown
  /** In milliseconds, where more than usual is allowed: only with a reason beside it. */
  bound?: number
  times?: number
}

/** What rows are made of: a simulator that holds so many keys. */
export interface Baseline {
  port: number
  send: Send
  keys: number
  /** What it was started with, as JSON. */
  fixture: Buffer
  /** The database file, where there is one. */
  db: string
}

export interface Group {
  name: string
  /** Whether it stores what it has in a file. */
  stored?: boolean
  /** What it is started with. */
  args?: string[]
  rows: (ground: Baseline) => Row[]
}

/** Indexes of 100,000 records, and 15 MB for the log, are made in steps of some 20 ms, of which two may follow each other. */
export const LARGE_STEPS = 100

/** Thousands of keys, as a fixture. `mark` makes it unlike others. */
export function manyKeys(count: number, mark = ''): Buffer {
  const first = Date.UTC(2025, 0, 1)
  const keys = Array.from({ length: count }, (_, i) => ({
    id: `ak_many_${i}`,
    created_at: `${new Date(first + i * 60_000).toISOString().slice(0, 19)}Z`,
    owner_id: i % 2 ? 'usr_admin' : 'usr_member',
    description: `Key ${(i * 7919) % count} of ${count}${mark}`,
    metadata: `{"team":${i % 100}}`,
  }))
  const users = [
    { id: 'usr_admin', name: 'Admin', admin: true },
    { id: 'usr_member', name: 'Member' },
  ]
  const admin = { id: 'ak_admin', created_at: '2024-01-01T00:00:00Z', owner_id: 'usr_admin', token: 'sim_admin' }
  const member = { id: 'ak_member', created_at: '2024-01-01T00:00:00Z', owner_id: 'usr_member', token: 'sim_member' }
  return Buffer.from(JSON.stringify({ users, api_keys: [admin, member, ...keys] }))
}
