import type { ListedEntry } from '../../src/dashboard/types.ts'

export const entry = (more: Partial<ListedEntry> = {}): ListedEntry => ({
  id: 'op_1',
  seq: 1,
  at: '2030-01-01T10:00:00.000Z',
  sandbox: 'default',
  operation: 'list_api_keys',
  method: 'GET',
  path: '/api_keys',
  query: {},
  status: 200,
  duration_ms: 1,
  source_ip: '127.0.0.1',
  caller: null,
  rules: [],
  assumptions: [],
  warnings: [],
  change: null,
  explanation: null,
  ...more,
})

export const TOKENS = [
  { token: 'sim_member', key_id: 'ak_member', owner_id: 'usr_member', admin: false },
  { token: 'sim_admin', key_id: 'ak_admin', owner_id: 'usr_admin', admin: true },
]
