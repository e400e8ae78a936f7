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
})
