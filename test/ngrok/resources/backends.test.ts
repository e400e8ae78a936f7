import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { sandboxesOf } from './sandbox.ts'

const sandbox = sandboxesOf(await simulate(), 'backends')

describe('Other backends', () => {
  it('have defaults', async () => {
    const { create } = sandbox()
    expect(await create('/backends/failover')).toMatchObject({ id: expect.stringMatching(/^bkdfo_/), backends: [] })
    expect(await create('/backends/weighted')).toMatchObject({ id: expect.stringMatching(/^bkdwd_/), backends: {} })
    expect(await create('/backends/tunnel_group')).toMatchObject({ labels: {}, tunnels: [] })
    const response = await create('/backends/http_response', { headers: { 'X-Robots-Tag': 'none' } })
    expect(response).toMatchObject({ body: '', headers: { 'x-robots-tag': 'none' }, status_code: 200 })
  })

  it('preserve fields omitted in an update, which replaces nested backends', async () => {
    const { send } = sandbox()
    const { body: before } = await send('GET', '/backends/http_response/bkdhr_maintenance')
    const { body: after } = await send('PATCH', '/backends/http_response/bkdhr_maintenance', { status_code: 500 })
    expect(after).toEqual({ ...before, status_code: 500 })
    const given = { backends: ['bkdhr_spare', 'bkdwd_canary', 'bkdhr_spare'] }
    const { body } = await send('PATCH', '/backends/failover/bkdfo_web', given)
    expect(body.backends).toEqual(['bkdhr_spare', 'bkdwd_canary'])
  })

  it('return the tunnels that have all labels of a tunnel group', async () => {
    const { send, sim, create } = sandbox()
    const ids = async (id: string) =>
      (await send('GET', `/backends/tunnel_group/${id}`)).body.tunnels.map((tunnel: { id: string }) => tunnel.id)
    const { id } = await create('/backends/tunnel_group', { labels: { team: 'web', stage: 'test' } })
    expect(await ids('bkdtg_web')).toEqual(['tn_labelled'])
    expect(await ids(id)).toEqual([])
    const tunnel = { id: 'tn_new', tunnel_session_id: 'ts_laptop', labels: { team: 'web', stage: 'test', more: '1' } }
    expect((await sim('POST', '/db/tunnels', tunnel)).status).toBe(201)
    expect(await ids('bkdtg_web')).toEqual(['tn_new', 'tn_labelled'])
    expect(await ids(id)).toEqual(['tn_new'])
  })

  it('cannot be deleted while a backend or an edge uses them', async () => {
    const { send } = sandbox()
    expectError(await send('DELETE', '/backends/tunnel_group/bkdtg_web'), 400, 6502)
    await send('PUT', '/edges/tcp/edgtcp_ssh/backend', { backend_id: 'bkdwd_canary' })
    expect(expectError(await send('DELETE', '/backends/weighted/bkdwd_canary'), 400, null).msg).toContain('edgtcp_ssh')
    expect((await send('DELETE', '/edges/tcp/edgtcp_ssh/backend')).status).toBe(204)
    expect((await send('DELETE', '/backends/weighted/bkdwd_canary')).status).toBe(204)
    expect((await send('DELETE', '/backends/tunnel_group/bkdtg_web')).status).toBe(204)
  })

  it('can be used by edges and routes, which refer to them by the path of their kind', async () => {
    const { send } = sandbox()
    for (const [kind, backend_id] of Object.entries({ failover: 'bkdfo_web', http_response: 'bkdhr_spare' })) {
      const { body } = await send('PUT', '/edges/https/edghts_web/routes/edghtsrt_static/backend', { backend_id })
      expect(body.backend.uri).toMatch(new RegExp(`/backends/${kind}/${backend_id}$`))
    }
  })

  it('cannot contain themselves in a loaded state', async () => {
    const { send, sim } = sandbox()
    await send('GET', '/backends/failover')
    const rejected = await sim('PUT', '/state', { failover_backends: [{ id: 'bkdfo_a', backends: ['bkdfo_a'] }] })
    const text = expect.stringContaining('bkdfo_a not found in backends')
    expect(rejected).toMatchObject({ status: 400, text })
  })
})
