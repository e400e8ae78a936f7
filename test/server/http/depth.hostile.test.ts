import { describe, expect, it } from 'vitest'
import { newDb } from '../../engine/store/support.ts'
import { expectRefusal } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'

const json = { 'content-type': 'application/json' }
/** JSON.parse accepts every depth, but JSON.stringify does not. */
const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`
const DEPTHS = [20, 21, 100, 1_000, 5_000, 10_000, 100_000]

describe('A body that is nested too deeply', () => {
  it('is rejected on every route, and later writes survive a restart', async () => {
    const db = newDb()
    const { call, close } = await simulate({ db })
    for (const depth of DEPTHS)
      for (const value of [nested(depth, '[', ']'), nested(depth, '{"a":', '}')])
        for (const [method, path, body] of [
          ['POST', '/api_keys', `{"metadata":${value}}`],
          ['POST', '/edges/https', `{"metadata":"","mutual_tls":${value}}`],
          ['PUT', '/_sim/db/users/usr_deep', `{"name":${value}}`],
          ['PUT', '/_sim/state', `{"users":[{"id":"usr_a","name":${value}}]}`],
          ['PUT', '/_sim/scenario', `{"name":"x","state":${value}}`],
          ['POST', '/_sim/requests/verify', `{"where":{"body.a":${value}}}`],
        ] as const) {
          // API bodies are limited to 64 KB.
          if (body.length > 64 * 1024 && !path.startsWith('/_sim')) continue
          const response = await call(method, path, undefined, { raw: body, headers: json })
          const code = Number(/\d+$/.exec(response.body.error_code)![0])
          expectRefusal(response, 400, code)
        }
    const { body: created } = await call('POST', '/api_keys', { description: 'after it' })
    await close()
    const second = await simulate({ db })
    expect((await second.call('GET', `/api_keys/${created.id}`)).body.description).toBe('after it')
    expect((await second.call('GET', '/_sim/db/users')).body).toHaveLength(2)
  })
})
