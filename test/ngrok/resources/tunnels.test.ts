import { expect, it } from 'vitest'
import { simulate } from '../../support/in-process.ts'

const { as, url } = await simulate({ clock: '2026-02-01T00:00:00Z' })

it('A tunnel refers to its session, has no uri, and omits unset fields', async () => {
  const { body } = await as('sim_admin~tunnels')('GET', '/tunnels')
  expect(body.tunnels).toEqual([
    {
      id: 'tn_labelled',
      started_at: '2026-01-15T09:00:06Z',
      forwards_to: 'http://localhost:8080',
      labels: { team: 'web' },
      backends: [{ id: 'bkdtg_web', uri: `${url}/backends/tunnel_group/bkdtg_web` }],
      region: 'us',
      tunnel_session: { id: 'ts_laptop', uri: `${url}/tunnel_sessions/ts_laptop` },
    },
    expect.objectContaining({ id: 'tn_web', proto: 'https', public_url: 'https://blue.preview.example.com' }),
  ])
  expect(Object.keys(body.tunnels[1])).not.toContain('labels')
  expect(Object.keys(body.tunnels[1])).not.toContain('backends')
  const { body: endpoint } = await as('sim_admin~tunnels')('GET', '/endpoints/ep_preview')
  expect(endpoint.tunnel).toEqual({ id: 'tn_web', uri: `${url}/tunnels/tn_web` })
})

it('A stopped session is deleted with its tunnels', async () => {
  const send = as('sim_admin~stopped')
  const stopped = await send('POST', '/tunnel_sessions/ts_laptop/stop', {})
  expect(stopped).toMatchObject({ status: 204, text: '' })
  const { change } = (await send('GET', '/_sim/sandboxes/stopped/requests')).body.requests[0]
  expect(change.ops.map(({ id }: { id: string }) => id).sort()).toEqual([
    'appsess_laptop',
    'ep_preview',
    'tn_labelled',
    'tn_web',
    'ts_laptop',
  ])
  expect((await send('GET', '/tunnel_sessions/ts_laptop')).status).toBe(404)
  expect((await send('GET', '/tunnels')).body.tunnels).toEqual([])
  expect((await send('POST', '/tunnel_sessions/ts_laptop/stop', {})).status).toBe(404)
})

it('A restarted session has the current start time, and an update changes nothing', async () => {
  const send = as('sim_admin~restarted')
  const before = (await send('GET', '/tunnel_sessions/ts_laptop')).body
  expect((await send('POST', '/tunnel_sessions/ts_laptop/update', {})).status).toBe(204)
  expect((await send('GET', '/tunnel_sessions/ts_laptop')).body).toEqual(before)
  expect((await send('POST', '/tunnel_sessions/ts_laptop/restart', {})).status).toBe(204)
  const after = { ...before, started_at: '2026-02-01T00:00:00Z' }
  expect((await send('GET', '/tunnel_sessions/ts_laptop')).body).toEqual(after)
  expect((await send('GET', '/tunnels')).body.tunnels).toHaveLength(2)
})
