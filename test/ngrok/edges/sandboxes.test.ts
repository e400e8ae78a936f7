import { describe, expect, it } from 'vitest'
import { talk } from '../../support/raw-http.ts'
import { echo, freePort, tcpEdge, withEdges } from './edges.ts'

const EDGE = 'edgtcp_a'

describe('Sandboxes', () => {
  it('have their own ports from first use until they are dropped', async () => {
    const port = await freePort()
    const { call, portOf, token } = await withEdges({
      ip_policies: [{ id: 'ipp_none', rules: [{ action: 'deny', cidr: '0.0.0.0/0' }] }],
      ...tcpEdge(await echo(), { listen: `127.0.0.1:${port}` }),
    })
    expect(await portOf(EDGE)).toBe(port)
    await call('PUT', '/_sim/sandboxes/other')
    const base = '/_sim/sandboxes/other'
    const own = await portOf(EDGE, base)
    expect(own).not.toBe(port)
    await call('PUT', `/edges/tcp/${EDGE}/ip_restriction`, { ip_policy_ids: ['ipp_none'] }, { token: `${token}~other` })
    expect((await talk(own, 'x')).said).toBe('')
    expect((await talk(port, 'x')).said).toBe('x')
    expect((await call('GET', `${base}/traffic`)).body.decisions).toHaveLength(1)
    expect((await call('GET', '/_sim/traffic')).body.decisions).toHaveLength(1)
    await call('POST', `${base}/reset`)
    expect(await portOf(EDGE, base)).toBe(own)
    expect((await talk(own, 'x')).said).toBe('x')
    await call('DELETE', base)
    await expect.poll(async () => (await talk(own, 'x')).error).toBe('ECONNREFUSED')
    expect((await talk(port, 'x')).said).toBe('x')
  })

  it('preserve ports over a reset, and close ports of edges that the reset removes', async () => {
    const upstream = await echo()
    const { call, portOf } = await withEdges({
      backends: [{ id: 'bkdsc_a', address: `127.0.0.1:${upstream}` }],
      tcp_edges: [{ id: EDGE, listen: '127.0.0.1:0', backend: { backend_id: 'bkdsc_a' } }],
    })
    const port = await portOf(EDGE)
    const created = { hostports: ['127.0.0.1:0'], backend: { backend_id: 'bkdsc_a' } }
    const { body: made } = await call('POST', '/edges/tcp', created)
    const other = await portOf(made.id)
    expect((await talk(other, 'x')).said).toBe('x')
    await call('POST', '/_sim/reset')
    expect(await portOf(EDGE)).toBe(port)
    expect((await talk(port, 'x')).said).toBe('x')
    await expect.poll(async () => (await talk(other, 'x')).error).toBe('ECONNREFUSED')
  })

  it('apply a replaced state, a written record and a rewind to their ports', async () => {
    const upstream = await echo()
    const { call, traffic, portOf } = await withEdges({})
    expect((await traffic()).listeners).toEqual([])
    await call('POST', '/_sim/db/tcp_edges', { id: EDGE, listen: '127.0.0.1:0', upstream: `127.0.0.1:${upstream}` })
    expect((await talk(await portOf(EDGE), 'x')).said).toBe('x')
    const response = await call('DELETE', `/edges/tcp/${EDGE}`)
    expect((await traffic()).listeners).toEqual([])
    await call('POST', `/_sim/requests/${response.headers.get('edgesim-operation-id')}/rewind`)
    expect((await talk(await portOf(EDGE), 'y')).said).toBe('y')
    const { body: state } = await call('GET', '/_sim/state')
    await call('PUT', '/_sim/state', { ...state, tcp_edges: [] })
    expect((await traffic()).listeners).toEqual([])
  })
})
