import { describe, expect, it } from 'vitest'
import { startSimulator } from '../../src/index.ts'
import { echo, USERS } from '../ngrok/edges/edges.ts'
import { afterwards } from '../support/afterwards.ts'
import { talk } from '../support/raw-http.ts'

describe('A sandbox handle', () => {
  it('shows where an edge listens, its traffic and its decisions', async () => {
    const upstream = await echo()
    const sim = await startSimulator({
      fixture: {
        ...USERS,
        ip_policies: [{ id: 'ipp_a', rules: [{ action: 'allow', cidr: '127.0.0.0/8' }] }],
        tcp_edges: [
          {
            id: 'edgtcp_a',
            listen: '127.0.0.1:0',
            upstream: `127.0.0.1:${upstream}`,
            ip_restriction: { ip_policy_ids: ['ipp_a'] },
          },
          { id: 'edgtcp_b', hostports: ['elsewhere.example.com:1'] },
        ],
      },
    })
    afterwards(() => sim.close())
    const sandbox = await sim.sandbox()
    const { url, host, port, certificate } = await sandbox.edge('edgtcp_a')
    expect({ url, host, certificate }).toEqual({ url: `tcp://127.0.0.1:${port}`, host: '127.0.0.1', certificate: null })
    expect(port).not.toBe((await sim.default.edge('edgtcp_a')).port)
    expect((await talk(port, 'hello')).said).toBe('hello')
    await sandbox.verify({ edge: 'edgtcp_a', verdict: 'allow', count: 1 })
    const { listeners, decisions } = await sandbox.traffic()
    expect(listeners).toMatchObject([{ edge: 'edgtcp_a', allowed: 1 }])
    expect(decisions[0]!.rule!.id).toBe('ipr_a_1')
    expect(await sandbox.checkTraffic({ edge: 'edgtcp_a', source_ip: '10.0.0.1' })).toMatchObject({ verdict: 'refuse' })
    await expect(sandbox.edge('edgtcp_b')).rejects.toMatchObject({
      code: 'NOT_LISTENING',
      message: expect.stringContaining('Edge edgtcp_b is not listening: unknown edge, or no loopback address'),
    })
    await expect(sandbox.verify({ edge: 'edgtcp_a', verdict: 'refuse' })).rejects.toThrow(
      /verdict must be "refuse", got "allow"/,
    )
  })
})
