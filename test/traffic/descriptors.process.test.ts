import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { afterwards, folderWith, root } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { echo, USERS } from './edges.ts'

/** The shell of Windows knows no such limit. */
const LIMITED = ['sh', '-c', 'ulimit -n 1200 && exec "$@"', 'sh', process.execPath, join(root, 'bin/edgesim.js')]

describe.skipIf(process.platform === 'win32')('With 1,200 descriptors', () => {
  it('the API answers beside as many listeners and idle connections as edges can get', async () => {
    const upstream = await echo()
    const edges = Array.from({ length: 2 }, (_, i) => ({
      id: `edgtcp_${i}`,
      hostports: Array.from({ length: 100 }, (_, n) => `127.0.${i}.${n + 1}:0`),
      upstream: `127.0.0.1:${upstream}`,
    }))
    const folder = folderWith({ 'many.json': { ...USERS, tcp_edges: edges } })
    const { ready, call } = await startEdgesim([join(folder, 'many.json')], { command: LIMITED })
    const ask = async (path: string) => (await fetch(ready.url + path)).json()
    const { listeners } = await ask('/_sim/traffic')
    const open = listeners.filter(({ error }: { error?: string }) => error === undefined)
    expect([listeners.length, open.length]).toEqual([200, 60])
    const sockets: Socket[] = []
    afterwards(() => {
      for (const socket of sockets) socket.destroy()
    })
    const tried = Array.from({ length: 1300 }, (_, i) => {
      const { host, port } = open[i % open.length]
      return new Promise<void>(resolve => {
        const socket = connect(port, host, () => socket.write('x'))
        sockets.push(socket)
        socket.once('data', () => resolve())
        socket.on('error', () => {}).once('close', () => resolve())
      })
    })
    await Promise.all(tried)
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(300)
    expect((await call('GET', '/api_keys')).status).toBe(200)
    expect((await call('POST', '/api_keys', {})).status).toBe(201)
  })
})
