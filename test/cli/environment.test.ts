import { describe, expect, it } from 'vitest'
import { edgesim, launch, startEdgesim } from '../support/cli.ts'

const serversOf = async (args: string[], env: Record<string, string>) => {
  const { code, out, err } = await edgesim(['openapi', ...args], { env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out).servers[0].url
}

describe.concurrent('The environment', () => {
  it('gives options that no flag gives', async () => {
    expect(await serversOf([], { EDGESIM_PORT: '4711' })).toBe('http://127.0.0.1:4711')
    expect(await serversOf([], { EDGESIM_BASE_URL: 'https://a.test' })).toBe('https://a.test')
    const out = await launch([], { env: { EDGESIM_PORT: '0', EDGESIM_LOG: 'json' } }).until(/\n/)
    expect(JSON.parse(out).url).not.toMatch(/:4600$/)
  })

  it('is overruled by a flag', async () => {
    expect(await serversOf(['--port', '4712'], { EDGESIM_PORT: '4711' })).toBe('http://127.0.0.1:4712')
  })

  it('separates the items of a list by commas', async () => {
    const env = { EDGESIM_ASSUME: 'missing_version=accept, page_order=oldest_first' }
    const { ready } = await startEdgesim([], { env })
    const answer = await fetch(`${ready.url}/api_keys`, { headers: { authorization: `Bearer ${ready.token}` } })
    expect(answer.status).toBe(200)
    expect((await answer.json()).keys[0].id).toBe('ak_admin')
  })

  it('means nothing by a port that Kubernetes made', async () => {
    expect(await serversOf([], { EDGESIM_PORT: 'tcp://1.2.3.4:80' })).toBe('http://127.0.0.1:4600')
  })

  it('means nothing by an empty variable or one that no option has', async () => {
    expect(await serversOf([], { EDGESIM_PORT: '', EDGESIM_FOO: 'bar' })).toBe('http://127.0.0.1:4600')
  })
})
