import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { version } from '../../src/engine/files/package.ts'
import { expectError } from '../support/http.ts'
import { simulate } from '../support/in-process.ts'

const { call, url } = await simulate()

describe('GET /_sim/health', () => {
  it('returns status, version and start time', async () => {
    const { status, body } = await call('GET', '/_sim/health', undefined, { token: null, version: null })
    expect(status).toBe(200)
    expect(body).toEqual({ status: 'ok', version, uptime_ms: expect.any(Number) })
  })

  it('has the usual headers, and accepts no other method', async () => {
    const names = async (path: string, method = 'GET') => {
      const response = await fetch(url + path, { method })
      return [response.status, ...response.headers.keys()]
    }
    expect(await names('/_sim/health')).toEqual(await names('/_sim/info'))
    expect(await names('/_sim/health?x=1', 'HEAD')).toEqual(await names('/_sim/info', 'HEAD'))
    const refused = await call('POST', '/_sim/health')
    expectError(refused, 405, 405)
    expect(refused.headers.get('allow')).toBe('GET')
  })
})

describe('GET /_sim/info', () => {
  it('returns how the simulator was started', async () => {
    const { body } = await call('GET', '/_sim/info')
    expect(body).toMatchObject({ url, version, vendor: 'service', fixture: 'default' })
    expect(body.tokens).toContainEqual({ token: 'sim_admin', key_id: 'ak_admin', owner_id: 'usr_admin', admin: true })
  })

  it('distinguishes two runs with the same seed and start second', async () => {
    const start = async () => (await (await simulate({ seed: 3 })).call('GET', '/_sim/info')).body.started_at
    const starts = [await start(), await start(), await start()]
    expect(new Set(starts).size).toBe(3)
    for (const at of starts) expect(new Date(at).toISOString()).toBe(at)
  })

  it('shows the active options, and never the control token', async () => {
    const controlToken = 'do-not-show-me'
    const told = await simulate({ controlToken, seed: 3, vendor: 'acme', clock: '2026-01-01T00:00:00Z' })
    const response = await told.call('GET', '/_sim/info', undefined, { token: controlToken })
    expect(response.body).toMatchObject({ vendor: 'acme', options: { seed: 3, clock: '2026-01-01T00:00:00Z' } })
    expect(response.text).not.toContain(controlToken)
  })

  it('does not show the token of a deleted key', async () => {
    await call('DELETE', '/_sim/db/api_keys/ak_ci')
    const { body } = await call('GET', '/_sim/info')
    expect(body.tokens.map(({ key_id }: { key_id: string }) => key_id)).toEqual(['ak_admin', 'ak_member'])
  })
})

describe('GET /_sim/resources', () => {
  it('lists all kinds of records, including those without operations', async () => {
    const { body } = await call('GET', '/_sim/resources')
    for (const name of ['api_key', 'user', 'bot', 'https_edge', 'replace_tcp_edge_ip_restriction_module'])
      expect(JSON.stringify(body)).toContain(`"${name}"`)
  })
})

describe('GET /_sim/control.json', async () => {
  interface Described {
    operationId: string
    parameters: { name: string; in: string; required?: boolean }[]
    responses: Record<string, unknown>
  }
  const { body: document } = await call('GET', '/_sim/control.json')
  const paths: [string, Record<string, Described>][] = Object.entries(document.paths)
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({ path, method, described })),
  )

  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(document)
    expect(result).toMatchObject({ valid: true })
    expect(document.openapi).toMatch(/^3\.1/)
  })

  it('gives every operation a unique id, and every path its parameters', () => {
    const ids = operations.map(({ described }) => described.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[a-z]+(_[a-z]+)+$/)
    for (const { path, described } of operations) {
      const inPath = described.parameters.filter(parameter => parameter.in === 'path')
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required)).toBe(true)
    }
  })

  it('lists every action, for default and for any sandbox, and some only once', () => {
    const listed = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)
    const both = [
      ...['POST /reset', 'GET /state', 'PUT /state', 'GET /snapshots', 'PUT /snapshots/{name}'],
      ...['DELETE /snapshots/{name}', 'POST /snapshots/{name}/restore', 'GET /requests', 'GET /requests/{id}'],
      ...['DELETE /requests', 'POST /requests/verify', 'POST /requests/{id}/rewind', 'GET /events'],
      ...['GET /clock', 'PUT /clock', 'DELETE /clock', 'GET /assumptions', 'GET /resources', 'GET /openapi.json'],
      ...['GET /db/{collection}', 'POST /db/{collection}', 'GET /db/{collection}/{id}', 'PUT /db/{collection}/{id}'],
      ...['PATCH /db/{collection}/{id}', 'DELETE /db/{collection}/{id}', 'GET /db'],
    ]
    const once = [
      ...['GET /health', 'GET /info', 'GET /metrics', 'GET /control.json', 'GET /sandboxes', 'POST /sandboxes'],
      ...['PUT /sandboxes/{name}', 'DELETE /sandboxes/{name}'],
    ]
    const belowSandbox = (each: string) => each.replace(' ', ' /_sim/sandboxes/{sandbox}')
    expect(listed).toEqual(expect.arrayContaining([...both, ...once].map(each => each.replace(' ', ' /_sim'))))
    expect(listed).toEqual(expect.arrayContaining(both.map(belowSandbox)))
    for (const each of once) expect(listed).not.toContain(belowSandbox(each))
  })

  it('lists only existing paths and methods', async () => {
    for (const [path, methods] of paths) {
      const at = path
        .replace('{sandbox}', 'default')
        .replace('{collection}', 'users')
        .replace(/\{\w+\}/g, 'nobody')
      const response = await call('OPTIONS', at)
      expectError(response, 405, 405)
      const allowed = response.headers.get('allow')!.toLowerCase().split(', ')
      expect(allowed.toSorted(), path).toEqual(Object.keys(methods).toSorted())
    }
  })
})
