import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

describe('An IP restriction', async () => {
  const { call } = await simulate()

  it('requires a type, which is an assumption', async () => {
    expectError(await call('POST', '/ip_restrictions', {}), 400, 1803)
    const { body } = await call('GET', '/_sim/requests?limit=1')
    expect(body.requests[0].assumptions).toContainEqual({ name: 'required_fields', value: 'type' })
  })

  it('can be managed by a caller who is not an admin', async () => {
    const options = { token: 'sim_member' }
    const { status, body } = await call('POST', '/ip_restrictions', { type: 'agent' }, options)
    expect(status).toBe(201)
    expect((await call('DELETE', `/ip_restrictions/${body.id}`, undefined, options)).status).toBe(204)
  })
})
