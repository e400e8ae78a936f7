import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/afterwards.ts'
import { EDGESIM, startEdgesim } from '../../support/as-process.ts'
import { dial } from '../../support/raw-http.ts'
import { echo, USERS } from './edges.ts'

/** Windows has no such limit. */
const LIMITED = ['sh', '-c', 'ulimit -n 1200 && exec "$@"', 'sh', ...EDGESIM]

describe.skipIf(process.platform === 'win32')('With 1,200 descriptors', () => {
  it('the API responds while edges have all their listeners and idle connections', async () => {
    const upstream = await echo()
    const edges = Array.from({ length: 2 }, (_, i) => ({
      id: `edgtcp_${i}`,
      hostports: Array.from({ length: 100 }, (_, n) => `127.0.${i}.${n + 1}:0`),
      upstream: `127.0.0.1:${upstream}`,
    }))
    const folder = folderWith({ 'many.json': { ...USERS, tcp_edges: edges } })
    const { call } = await startEdgesim([join(folder, 'many.json')], { command: LIMITED })
    const { listeners } = (await call('GET', '/_sim/traffic')).body
    const open = listeners.filter(({ error }: { error?: string }) => error === undefined)
    expect([listeners.length, open.length]).toEqual([200, 60])
    const clients = Array.from({ length: 1300 }, (_, i) => dial(open[i % open.length].port, open[i % open.length]))
    for (const { socket } of clients) socket.write('x')
    await Promise.all(clients.map(({ heard }) => heard))
    expect(clients.filter(({ socket }) => !socket.destroyed)).toHaveLength(300)
    expect((await call('GET', '/api_keys')).status).toBe(200)
    expect((await call('POST', '/api_keys', {})).status).toBe(201)
  })
})
