import { describe, expect, it } from 'vitest'
import { simulate } from '../support/in-process.ts'
import { forEach, pooledClient } from '../support/raw-http.ts'

describe('The journal', () => {
  it('counts the bytes of rules, warnings and explanations', async () => {
    const { call, port } = await simulate()
    const rules = Array.from({ length: 300 }, (_, i) => ({
      name: `${'rule '.repeat(18)}${i}`,
      latency: '1ms',
      times: 1,
    }))
    await call('PUT', '/_sim/sandboxes/ruled', { scenario: { rules } })
    const client = pooledClient(port)
    await forEach(Array(480).keys(), 8, async () => {
      await client.send({ method: 'GET', path: '/api_keys?limit=1', token: 'sim_admin~ruled' })
    })
    client.close()
    const { text } = await call('GET', '/_sim/sandboxes/ruled/requests?limit=1000')
    expect(text.length).toBeLessThan(1.1 * 16 * 1024 * 1024)
  })

  it('counts a body twice that it also keeps as it was written', async () => {
    const { call, as } = await simulate()
    const raw = `{ "description": "written with spaces", "extra": "${'a'.repeat(50_000)}" }`
    const headers = { 'content-type': 'application/json', 'service-version': '2' }
    const send = () => as('sim_admin~written')('POST', '/api_keys', undefined, { raw, headers })
    await forEach(Array(300).keys(), 8, async () => void (await send()))
    const { text, body } = await call('GET', '/_sim/sandboxes/written/requests?limit=1000')
    expect(body.requests[0].request.text === raw).toBe(true)
    expect(text.length).toBeLessThan(1.1 * 16 * 1024 * 1024)
  })
})
