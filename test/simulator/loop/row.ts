import type { Send } from './client.ts'

/** An action that must not delay health checks. */
export interface Row {
  what: string
  size: string
  /** Preparation before each run, not measured. */
  before?: () => unknown
  act: (time: number) => unknown
  /** The allowed milliseconds with 100,000 keys, if above the default. */
  bound?: number
  /** The same with any number of keys. */
  most?: number
  times?: number
}

export interface Baseline {
  port: number
  send: Send
  keys: number
  fixture: Buffer
  db: string
}

export interface Group {
  name: string
  stored?: boolean
  args?: string[]
  /** The allowed milliseconds of rows whose time does not depend on the number of keys. */
  most?: number
  rows: (ground: Baseline) => Row[]
}

/** The documented time of a search in a whole journal. */
export const LONGEST_SEARCH = 300
/** The documented time of a body of up to 4 MB. */
export const LONGEST_BODY = 150
/** A state of 100,000 records is loaded in one turn. */
export const LARGE_STATE = 800
/** It is merged with the state of a scenario, and compared with the current one. */
export const LARGE_SCENARIO = 1_200
/** 100,000 records are sorted in about half a second. */
export const LARGE_SORT = 1_000

/** A fixture with `count` keys. `mark` makes it unique. */
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
