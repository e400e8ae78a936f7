import { describe, expect, it } from 'vitest'
import { expectError } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

describe('The version header', async () => {
  const { call } = await simulate()
  const sending = (headers: Record<string, string>) => call('GET', '/api_keys', undefined, { version: null, headers })

  it('is required', async () => {
    const { msg } = expectError(await sending({}), 400, 218)
    expect(msg).toContain('Send Service-Version: 2')
    expect(msg).not.toContain('--vendor')
  })

  it.each(['1', '3', '02', '2.0', 'v2', '', '2, 2'])('must be 2, not "%s"', async version => {
    const { msg } = expectError(await sending({ 'Service-Version': version }), 400, 217)
    expect(msg).toContain('Service-Version')
    expect(msg).toContain('Send Service-Version: 2')
  })

  it.each(['Service-Version', 'service-version', 'SERVICE-VERSION'])('can be spelled %s', async name => {
    expect((await sending({ [name]: '2' })).status).toBe(200)
  })

  it.each([
    ['Ngrok-Version', 'ngrok'],
    ['ACME-VERSION', 'acme'],
    ['acme2-version', 'acme2'],
  ])('sent as %s returns a hint to start with --vendor %s', async (name, word) => {
    const { msg } = expectError(await sending({ [name]: '2' }), 400, 218)
    expect(msg).toContain(`--vendor ${word}.`)
  })

  it('with another name is ignored if the right one is present', async () => {
    expect((await sending({ 'Service-Version': '2', 'Ngrok-Version': '1' })).status).toBe(200)
  })

  it('is checked after the token and before the body and id', async () => {
    expectError(await call('GET', '/api_keys', undefined, { token: null, version: null }), 401, 200)
    expectError(await call('PATCH', '/api_keys/nonsense', {}, { version: null, raw: 'no JSON' }), 400, 218)
  })

  it('is not required by the control plane', async () => {
    expect((await call('GET', '/_sim/state', undefined, { version: null, token: null })).status).toBe(200)
  })
})

describe('With --vendor ngrok', async () => {
  const { call, port } = await simulate({ vendor: 'ngrok' })

  it('the version header is Ngrok-Version', async () => {
    expect((await call('GET', '/api_keys')).status).toBe(200)
    const service = { version: null, headers: { 'Service-Version': '2' } }
    const { body } = await call('GET', '/api_keys', undefined, service)
    expect(body).toMatchObject({ error_code: 'ERR_NGROK_218', status_code: 400 })
    expect(body.msg).toContain('Send Ngrok-Version: 2')
    expect(body.msg).toContain('--vendor service.')
  })

  it('documented error codes start with ERR_NGROK, other ones with ERR_EDGESIM', async () => {
    const codeOf = async (path: string, headers = {}) =>
      (await call('GET', path, undefined, { headers })).body.error_code
    expect(await codeOf('/api_keys/ak_nobody')).toBeUndefined()
    expect(await codeOf('/ip_policies/ipp_nobody')).toBe('ERR_NGROK_1402')
    expect(await codeOf('/api_keys', { authorization: 'x' })).toBe('ERR_NGROK_201')
    expect(await codeOf('/nope')).toBe('ERR_EDGESIM_404')
    expect(await codeOf('/_sim/nope')).toBe('ERR_EDGESIM_404')
    expect(await codeOf('/_sim/state', { origin: 'https://evil.example' })).toBe('ERR_EDGESIM_403')
    const garbage = await fetch(`http://127.0.0.1:${port}/api_keys`, { headers: { 'x-long': 'x'.repeat(17_000) } })
    expect(await garbage.json()).toMatchObject({ error_code: 'ERR_EDGESIM_431' })
  })
})
