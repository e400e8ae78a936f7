import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

describe('An IP restriction', async () => {
  const { call, url } = await simulate()
  const ref = (id: string) => ({ id, uri: `${url}/ip_policies/${id}` })

  it.each(['dashboard', 'api', 'agent', 'endpoints'])('can have the type %s', async type => {
    expect((await call('POST', '/ip_restrictions', { type })).body.type).toBe(type)
  })

  it('requires a type, which is an assumption', async () => {
    expectError(await call('POST', '/ip_restrictions', {}), 400, 1803)
    const { body } = await call('GET', '/_sim/requests?limit=1')
    expect(body.requests[0].assumptions).toContainEqual({ name: 'required_fields', value: 'type' })
  })

  it('is listed without unset fields', async () => {
    const { body: list } = await call('GET', '/ip_restrictions', undefined, { token: 'sim_admin~listing' })
    expect(list).toEqual({
      ip_restrictions: [
        {
          id: 'ipx_endpoints',
          uri: `${url}/ip_restrictions/ipx_endpoints`,
          created_at: '2026-01-05T09:00:00Z',
          enforced: true,
          type: 'endpoints',
          ip_policies: [ref('ipp_office'), ref('ipp_local'), ref('ipp_blocked')],
        },
        {
          id: 'ipx_dashboard',
          uri: `${url}/ip_restrictions/ipx_dashboard`,
          created_at: '2026-01-04T09:00:00Z',
          description: 'Dashboard from the office',
          enforced: false,
          type: 'dashboard',
          ip_policies: [ref('ipp_office')],
        },
      ],
      uri: `${url}/ip_restrictions`,
      next_page_uri: null,
    })
  })

  it('can be managed by a caller who is not an admin', async () => {
    const options = { token: 'sim_member' }
    const { status, body } = await call('POST', '/ip_restrictions', { type: 'agent' }, options)
    expect(status).toBe(201)
    expect((await call('DELETE', `/ip_restrictions/${body.id}`, undefined, options)).status).toBe(204)
  })
})
