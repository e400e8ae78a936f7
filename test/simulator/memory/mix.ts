import type { RawCall } from '../../support/raw-http.ts'

const LARGE = JSON.stringify({ description: 'large', extra: 'x'.repeat(60_000) })
/** More than --max-sandboxes: the last are rejected until others are dropped. */
const SANDBOXES = 260
const random = () => Math.random().toString(36).slice(2)
const pick = (count: number) => Math.floor(Math.random() * count)
const json = JSON.stringify

/** 100 requests of all kinds. They or later requests delete everything they create. */
export function mixed(round: number, lastId: string): RawCall[] {
  const get = (path: string): RawCall => ({ method: 'GET', path })
  const times = (count: number, make: (i: number) => RawCall) => Array.from({ length: count }, (_, i) => make(i))
  const id = `ak_mixed_${round % 500}`
  const snapshot = `/_sim/snapshots/s${round % 5}`
  const all: RawCall[] = [
    ...times(25, () => get('/api_keys/ak_ci')),
    ...times(8, () => get('/api_keys?limit=10')),
    ...times(2, () => get('/ip_policies?filter=obj.description.startsWith(%22O%22)')),
    ...times(6, i => ({ method: 'POST', path: '/api_keys', body: json({ description: `${round}.${i}` }) })),
    ...times(6, () => ({ method: 'PATCH', path: '/api_keys/ak_ci', body: json({ metadata: random().repeat(20) }) })),
    { method: 'PUT', path: `/_sim/db/api_keys/${id}`, body: json({ owner_id: 'usr_admin', description: random() }) },
    { method: 'DELETE', path: `/api_keys/ak_mixed_${(round + 250) % 500}` },
    ...times(6, () => get(`/api_keys/ak_${random()}`)),
    ...times(4, () => get(`/nothing/${random()}`)),
    ...times(5, () => ({ ...get('/api_keys'), token: random() })),
    ...times(5, () => ({ ...get('/api_keys'), token: `${random()}~${random()}` })),
    ...times(12, () => ({ ...get('/api_keys/ak_ci'), token: `sim_admin~s${pick(SANDBOXES)}` })),
    ...times(3, () => ({ method: 'DELETE', path: `/_sim/sandboxes/s${pick(SANDBOXES)}` })),
    ...times(2, () => ({ method: 'POST', path: '/api_keys', body: LARGE })),
    { method: 'PUT', path: snapshot },
    { method: 'POST', path: `${snapshot}/restore` },
    { method: 'DELETE', path: `/_sim/snapshots/s${(round + 2) % 5}` },
    { method: 'POST', path: `/_sim/requests/${lastId}/rewind` },
    ...times(3, () => get('/_sim/db/api_keys?_sort=-description&_page=1&_per_page=5')),
    ...times(2, () => get('/_sim/requests?limit=5&status=2xx')),
    { method: 'POST', path: '/_sim/requests/verify', body: json({ operation: 'get_api_key' }) },
    get('/_sim/info'),
  ]
  return [...all, ...(round % 10 === 0 ? heavy(round) : times(5, () => get('/api_keys/ak_admin')))]
}

/** Slow requests, so there are few of them. */
const heavy = (round: number): RawCall[] => [
  { method: 'POST', path: '/_sim/requests/verify', body: json({ where: { 'query.limit': { matches: '0$' } } }) },
  { method: 'PUT', path: '/_sim/scenario', body: json({ rules: [{ when: { calls: round + 1 }, latency: '1ms' }] }) },
  { method: 'DELETE', path: '/_sim/scenario' },
  { method: 'GET', path: '/_sim/state' },
  { method: 'POST', path: round % 50 === 0 ? '/_sim/reset' : '/_sim/requests/op_none/rewind' },
]
