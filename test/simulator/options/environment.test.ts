import { expect, it } from 'vitest'
import { edgesimHere } from '../../support/in-process.ts'

it.each<[string, Record<string, string>, string, ...string[]]>([
  ['sets options that are not set by flags', { EDGESIM_PORT: '4711' }, 'http://127.0.0.1:4711'],
  ['sets options of several words', { EDGESIM_BASE_URL: 'https://a.test' }, 'https://a.test'],
  ['is overridden by a flag', { EDGESIM_PORT: '4711' }, 'http://127.0.0.1:4712', '--port', '4712'],
  ['is ignored for a Kubernetes port variable', { EDGESIM_PORT: 'tcp://1.2.3.4:80' }, 'http://127.0.0.1:4600'],
  ['is ignored for empty and unknown variables', { EDGESIM_PORT: '', EDGESIM_FOO: 'bar' }, 'http://127.0.0.1:4600'],
])('The environment %s', async (_, env, server, ...args) => {
  const { code, out, err } = await edgesimHere(['openapi', ...args], { env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out).servers).toEqual([{ url: server }])
})
