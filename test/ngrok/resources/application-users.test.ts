import { expect, it } from 'vitest'
import type { Call } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const { as, call, url } = await simulate()

const sessionsOf = async (send: Call) =>
  (await send('GET', '/app/sessions')).body.application_sessions.map(({ id }: { id: string }) => id)

it('A user has an identity provider and times, and fields not set in a fixture are empty', async () => {
  expect((await call('GET', '/app/users/appusr_away')).body).toEqual({
    id: 'appusr_away',
    uri: `${url}/app/users/appusr_away`,
    created_at: '2026-01-21T10:00:00Z',
    identity_provider: { name: 'GitHub', url: 'https://github.com' },
    provider_user_id: '',
    username: 'away',
    email: '',
    name: 'Without a session',
    last_active: '2026-01-21T10:00:00Z',
    last_login: '2026-01-21T10:00:00Z',
  })
  expect((await call('GET', '/app/users')).body.application_users).toHaveLength(2)
})

it('A session refers to its user, edge and route', async () => {
  const empty = { raw: '', browser_name: '', browser_version: '', device_type: '', os_name: '', os_version: '' }
  expect((await call('GET', '/app/sessions/appsess_edge')).body).toEqual({
    id: 'appsess_edge',
    uri: `${url}/app/sessions/appsess_edge`,
    created_at: '2026-01-20T11:00:00Z',
    public_url: 'https://admin.example.com',
    browser_session: { user_agent: empty, ip_address: '', location: null },
    application_user: { id: 'appusr_ada', uri: `${url}/app/users/appusr_ada` },
    endpoint: null,
    edge: { id: 'edghts_admin', uri: `${url}/edges/https/edghts_admin` },
    route: { id: 'edghtsrt_admin', uri: `${url}/edges/https/edghts_admin/routes/edghtsrt_admin` },
    last_active: '2026-01-20T11:00:00Z',
    expires_at: '2026-01-21T11:00:00Z',
  })
  const { browser_session: browser } = (await call('GET', '/app/sessions/appsess_laptop')).body
  expect(browser.location).toEqual({ country_code: 'NZ', latitude: -41.3, longitude: 174.8, lat_long_radius_km: 20 })
})

it('A session is revoked on its own, or with its user', async () => {
  const send = as('sim_admin~revoked')
  expect((await send('DELETE', '/app/sessions/appsess_edge')).status).toBe(204)
  expect(await sessionsOf(send)).toEqual(['appsess_laptop'])
  expect((await send('DELETE', '/app/users/appusr_ada')).status).toBe(204)
  expect(await sessionsOf(send)).toEqual([])
})

it.each([
  ['endpoint, which ends with its agent', 'POST', '/tunnel_sessions/ts_laptop/stop', ['appsess_edge']],
  ['edge', 'DELETE', '/edges/https/edghts_admin', ['appsess_laptop']],
])('A session ends with its %s', async (what, method, path, left) => {
  const send = as(`sim_admin~ends-with-${what.split(',')[0]}`)
  expect((await send(method, path)).status).toBe(204)
  expect(await sessionsOf(send)).toEqual(left)
})

it('A session refers to a deleted route, and to no route without its edge', async () => {
  const send = as('sim_admin~route')
  expect((await send('DELETE', '/edges/https/edghts_admin/routes/edghtsrt_admin')).status).toBe(204)
  expect((await send('GET', '/app/sessions/appsess_edge')).body.route.id).toBe('edghtsrt_admin')
  await send('PATCH', '/_sim/sandboxes/route/db/application_sessions/appsess_edge', { edge_id: null })
  expect((await send('GET', '/app/sessions/appsess_edge')).body).toMatchObject({ edge: null, route: null })
})

it('A fixture requires a session user and a valid location', async () => {
  const loading = await call('PUT', '/_sim/sandboxes/wrong', {
    fixture: {
      users: [{ id: 'usr_admin', admin: true }],
      application_sessions: [{ id: 'appsess_a', browser_session: { location: { latitude: 91 } } }],
    },
  })
  expect(loading.status).toBe(400)
  expect(loading.text).toMatch(/application_user_id/)
  expect(loading.text).toMatch(/a number from -90 to 90/)
})
