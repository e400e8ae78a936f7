import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { trafficBounds } from '../../../src/ngrok/edges/bounds.ts'
import { simulate } from '../../support/in-process.ts'
import { dial, talk } from '../../support/raw-http.ts'
import { echo, USERS, withEdges } from './edges.ts'

describe('Edges together', () => {
  it('get a share of the file descriptors, and most of the rest is for the API', () => {
    expect(trafficBounds(1_000_000)).toEqual({ listeners: 1000, connections: 5000 })
    expect(trafficBounds(1200)).toEqual({ listeners: 60, connections: 300 })
    expect(trafficBounds(256)).toEqual({ listeners: 12, connections: 64 })
  })

  it('cannot have over 100 addresses each, over the API, in a state or as a record', async () => {
    const { call } = await simulate({ fixture: USERS })
    const many = addresses(101)
    for (const [method, path, body] of [
      ['POST', '/edges/tcp', { hostports: many }],
      ['PUT', '/_sim/state', { ...USERS, tcp_edges: [{ id: 'edgtcp_a', hostports: many }] }],
      ['POST', '/_sim/db/https_edges', { id: 'edghts_a', hostports: many }],
    ] as const) {
      const response = await call(method, path, body)
      expect([response.status, response.body.msg]).toEqual([400, expect.stringMatching(/hostports.*up to 100.*101/)])
    }
    expect((await call('GET', '/_sim/traffic')).body.listeners).toEqual([])
  })

  it('open listeners up to a limit, report the others, and open them when some close', async () => {
    const { call, traffic } = await withEdges({}, {}, { openFiles: 100 })
    const made = await Promise.all(
      [4, 4].map(async count => (await call('POST', '/edges/tcp', { hostports: addresses(count) })).body.id),
    )
    const { listeners } = await traffic()
    const errors = listeners.flatMap(({ error }: { error?: string }) => error ?? [])
    expect(listeners).toHaveLength(8)
    expect(errors).toEqual(Array(3).fill(expect.stringMatching(/The limit of 5 listeners .*Delete edges or sandboxes/)))
    await call('DELETE', `/edges/tcp/${made[0]}`)
    expect((await traffic()).listeners.filter(({ error }: { error?: string }) => error)).toEqual([])
  })

  it('close connections beyond their limit, while the API responds', async () => {
    const upstream = await echo()
    const edge = (name: string) => ({ id: name, listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream}` })
    const names = ['edgtcp_a', 'edgtcp_b', 'edgtcp_c']
    const { call, portOf, notices } = await withEdges({ tcp_edges: names.map(edge) }, {}, { openFiles: 100 })
    const ports = await Promise.all(names.map(name => portOf(name)))
    const kept = new Set<Socket>()
    for (const port of ports)
      for (let i = 0; i < 20; i++) {
        const { socket } = dial(port)
        kept.add(socket.on('close', () => kept.delete(socket)))
      }
    await expect.poll(() => kept.size).toBe(25)
    expect((await call('GET', '/api_keys')).status).toBe(200)
    expect(notices.filter(({ text }) => text.includes('25 connections'))).toHaveLength(1)
    kept.forEach(socket => void socket.destroy())
    await expect.poll(async () => (await talk(ports[2]!, 'again')).said).toBe('again')
  })
})

const addresses = (count: number) => Array.from({ length: count }, (_, i) => `127.0.0.${i + 1}:0`)
