import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectRefusal } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'
import { rawClient } from '../support/raw-http.ts'

const { call, port, url } = await simulate()
const raw = rawClient(port)
const state = async () => (await call('GET', '/_sim/state')).text
const before = await state()
const json = { 'content-type': 'application/json' }

describe('The control plane refuses in JSON', () => {
  it.each<[string, string, string, number, RegExp]>([
    ['an unknown path', 'GET', '/_sim/stat', 404, /no path \/_sim\/stat\. Did you mean \/_sim\/state\?$/],
    ['a path below a sandbox', 'GET', '/_sim/sandboxes/default/clok', 404, /\/_sim\/sandboxes\/\{sandbox\}\/clock/],
    ['a method that is not taken', 'PATCH', '/_sim/clock', 405, /does not support PATCH\. Allowed: GET, PUT, DELETE/],
    ['an unknown sandbox', 'GET', '/_sim/sandboxes/nobody/state', 404, /no sandbox "nobody".*There are: default/],
    ['an unknown snapshot', 'POST', '/_sim/snapshots/nobody/restore', 404, /no snapshot "nobody".*There are none yet/],
    ['deleting an unknown snapshot', 'DELETE', '/_sim/snapshots/nobody', 404, /no snapshot "nobody"/],
    ['a bad name of a snapshot', 'PUT', '/_sim/snapshots/No', 400, /"No" must match \^\[a-z0-9\]/],
    ['an unknown request', 'GET', '/_sim/requests/op_none', 404, /no request op_none.*1,000 requests/],
    ['an unknown request to rewind to', 'POST', '/_sim/requests/op_none/rewind', 404, /op_none/],
    ['an unknown collection', 'GET', '/_sim/db/api_kees', 404, /Did you mean api_keys\?$/],
    ['an unknown collection without a near one', 'GET', '/_sim/db/zzzzzz', 404, /There are: .*users/],
    ['an unknown record', 'GET', '/_sim/db/users/usr_admim', 404, /Did you mean usr_admin\?/],
    ['invalid percent-encoding', 'GET', '/_sim/requests/%zz', 400, /percent-encoding/],
    ['a path in capitals', 'GET', '/_sim/STATE', 404, /no path/],
  ])('%s', async (_, method, path, status, says) => {
    const answer = await call(method, path)
    expect(expectRefusal(answer, status, status).msg).toMatch(says)
  })

  it.each<[string, string, string, string | Uint8Array, Record<string, string>, number, number]>([
    ['a body that is not JSON', 'PUT', '/_sim/state', '{"users":', json, 400, 400],
    ['a body of another content type', 'PUT', '/_sim/state', 'users=1', { 'content-type': 'text/plain' }, 415, 415],
    ['a form', 'POST', '/_sim/sandboxes', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 415],
    ['a form where no body is taken', 'POST', '/_sim/reset', 'a=1', { 'content-type': 'text/plain' }, 415, 415],
    ['a body where none is taken', 'POST', '/_sim/reset', '{"fixture":"empty"}', json, 400, 400],
    ['a body for a snapshot', 'PUT', '/_sim/snapshots/a', '{"users":[]}', json, 400, 400],
    ['a body that is a list', 'PUT', '/_sim/state', '[]', json, 400, 400],
    ['a body that is a number', 'PUT', '/_sim/state', '7', json, 400, 400],
    ['a state with an unknown table', 'PUT', '/_sim/state', '{"usres":[]}', json, 400, 400],
    ['a state that does not fit', 'PUT', '/_sim/state', '{"users":[{"id":"ak_1"}]}', json, 400, 400],
    ['a body nested too deeply', 'PUT', '/_sim/state', `${'{"a":'.repeat(30)}1${'}'.repeat(30)}`, json, 400, 400],
    [
      'a body that is not what its encoding says',
      'PUT',
      '/_sim/state',
      'x',
      { ...json, 'content-encoding': 'gzip' },
      400,
      400,
    ],
    ['an unknown encoding', 'PUT', '/_sim/state', 'x', { ...json, 'content-encoding': 'zip' }, 415, 415],
  ])('%s', async (_, method, path, sent, headers, status, code) => {
    expectRefusal(await call(method, path, undefined, { raw: sent, headers }), status, code)
    expect(await state()).toBe(before)
  })

  it('a body of more than 16 MB, plain or compressed, and says how to load more', async () => {
    const large = Buffer.alloc(16 * 1024 * 1024 + 1, ' ')
    const zipped = { raw: gzipSync(large), headers: { ...json, 'content-encoding': 'gzip' } }
    for (const how of [{ raw: large, headers: json }, zipped])
      expect(expectRefusal(await call('PUT', '/_sim/state', undefined, how), 413, 413).msg).toBe(
        'The body is too large. The limit is 16 MB. Start edgesim with a larger state as its fixture: edgesim FILE.',
      )
  })

  it('a request without a Host', async () => {
    expectRefusal(await raw.request({ target: '/_sim/state', without: ['host'] }), 400, 400)
  })
})

describe('The control plane accepts', () => {
  it.each([
    ['an empty object where no body is taken', '{}', json],
    ['nothing, whatever its content type', '', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['JSON in UTF-8', '{}', { 'content-type': 'application/json; charset=UTF-8' }],
  ])('%s', async (_, sent, headers) => {
    expect((await call('POST', '/_sim/reset', undefined, { raw: sent, headers })).status).toBe(204)
  })

  it('extra slashes', async () => {
    expect((await raw.request({ target: '//_sim//state/' })).text).toBe(before)
  })

  it('HEAD where it accepts GET', async () => {
    const answer = await fetch(`${url}/_sim/health`, { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
  })
})
