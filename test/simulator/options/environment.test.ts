import { describe, expect, it } from 'vitest'
import { edgesimHere } from '../../support/in-process.ts'

const serversOf = async (args: string[], env: Record<string, string>) => {
  const { code, out, err } = await edgesimHere(['openapi', ...args], { env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out).servers[0].url
}

describe('The environment', () => {
  it('sets options that are not set by flags', async () => {
    expect(await serversOf([], { EDGESIM_PORT: '4711' })).toBe('http://127.0.0.1:4711')
    expect(await serversOf([], { EDGESIM_BASE_URL: 'https://a.test' })).toBe('https://a.test')
  })

  it('is overridden by a flag', async () => {
    expect(await serversOf(['--port', '4712'], { EDGESIM_PORT: '4711' })).toBe('http://127.0.0.1:4712')
  })

  it('is ignored for a Kubernetes port variable', async () => {
    expect(await serversOf([], { EDGESIM_PORT: 'tcp://1.2.3.4:80' })).toBe('http://127.0.0.1:4600')
  })

  it('is ignored for empty and unknown variables', async () => {
    expect(await serversOf([], { EDGESIM_PORT: '', EDGESIM_FOO: 'bar' })).toBe('http://127.0.0.1:4600')
  })
})
