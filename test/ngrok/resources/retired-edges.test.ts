import { describe, expect, it } from 'vitest'
import type { AssumptionValue } from '../../../src/ngrok/assumed.ts'
import { operations } from '../../../src/ngrok/resources/index.ts'
import { expectError, operationOf } from '../../support/http.ts'
import { simulate } from '../../support/in-process.ts'
import { ALL } from '../../support/long.ts'

const fill = (path: string) =>
  path
    .replace('/edges/tcp/{id}', '/edges/tcp/edgtcp_ssh')
    .replace('/edges/tls/{id}', '/edges/tls/edgtls_mail')
    .replace('/edges/https/{id}', '/edges/https/edghts_web')
    .replace('{edge_id}', 'edghts_web')
    .replace('{id}', 'edghtsrt_static')

const all = operations.filter(({ path }) => path.startsWith('/edges/'))
/** `npm test` runs only the first of each kind. */
const ofEdges = ALL ? all : all.filter(({ kind }, i) => all.findIndex(other => other.kind === kind) === i)
const bodyFor = (method: string) => (method === 'GET' || method === 'DELETE' ? undefined : {})

const retired = (edges: AssumptionValue<'edges'>) => simulate({ assume: { edges } })

describe('edges=gone', async () => {
  const { call, as } = await retired('gone')

  it.each(ofEdges.map(({ id, method, path }) => [id, method, fill(path)]))('rejects %s', async (id, method, path) => {
    const response = await call(method, path, bodyFor(method))
    const { msg } = expectError(response, 410, 7008)
    expect(msg).toContain('--assume edges=available')
    const { body: entry } = await call('GET', `/_sim/requests/${operationOf(response)}`)
    expect(entry).toMatchObject({
      operation: id,
      change: null,
      assumptions: expect.arrayContaining([{ name: 'edges', value: 'gone' }]),
      explanation: { decided_by: 'edges_gone' },
    })
  })

  it('is checked after the method, the token and the version', async () => {
    expect((await call('PUT', '/edges/tcp', {})).status).toBe(405)
    for (const path of ['/edges/tcp', '/edges/tls']) {
      expectError(await as(null)('GET', path), 401, 200)
      expectError(await call('GET', path, undefined, { version: null }), 400, 218)
    }
    expectError(await call('POST', '/edges/tcp', {}, { raw: 'no JSON' }), 410, 7008)
  })

  it('does not affect static backends, records, and edges that listen', async () => {
    expect((await call('GET', '/backends/static')).status).toBe(200)
    expect((await call('POST', '/backends/static', { address: '127.0.0.1:9' })).status).toBe(201)
    expect((await call('GET', '/ip_policies')).status).toBe(200)
    expect((await call('GET', '/edges/nothing')).status).toBe(404)
    expect((await call('GET', '/_sim/db/tcp_edges/edgtcp_ssh')).status).toBe(200)
    const patched = await call('PATCH', '/_sim/db/tcp_edges/edgtcp_ssh', { hostports: ['127.0.0.1:0'] })
    expect(patched.status).toBe(200)
    const { body } = await call('GET', '/_sim/traffic')
    expect(body.listeners).toContainEqual(expect.objectContaining({ edge: 'edgtcp_ssh', port: expect.any(Number) }))
  })
})

describe('edges=read_only', async () => {
  const { call } = await retired('read_only')
  const { call: usual } = await simulate()
  const { text: before } = await call('GET', '/_sim/state')
  const reads = ofEdges.filter(({ method }) => method === 'GET')
  const writes = ofEdges.filter(({ method }) => method !== 'GET')

  it.each(writes.map(({ id, method, path }) => [id, method, fill(path)]))('rejects %s', async (_, method, path) => {
    const { msg } = expectError(await call(method, path, bodyFor(method)), 403, 7196)
    expect(msg).toContain(method)
    expect(msg).toContain('--assume edges=available')
    expect((await call('GET', '/_sim/state')).text).toBe(before)
  })

  it.each(reads.map(({ id, path }) => [id, fill(path)]))('serves %s', async (_, path) => {
    const { status, body } = await call('GET', path)
    const expected = await usual('GET', path)
    expect(status).toBe(expected.status)
    if (status === 200) expect(Object.keys(body)).toEqual(Object.keys(expected.body))
  })
})

it('A scenario retires edges while a client runs', async () => {
  const { call } = await simulate()
  const rename = () => call('PATCH', '/edges/tcp/edgtcp_ssh', { description: 'renamed' })
  expect((await rename()).status).toBe(200)
  await call('PUT', '/_sim/scenario', { assume: { edges: 'read_only' } })
  expectError(await rename(), 403, 7196)
  expect((await call('GET', '/edges/tcp/edgtcp_ssh')).body.description).toBe('renamed')
  await call('PUT', '/_sim/scenario', { assume: { edges: 'gone' } })
  expectError(await call('GET', '/edges/tcp/edgtcp_ssh'), 410, 7008)
  await call('DELETE', '/_sim/scenario')
  expect((await rename()).status).toBe(200)
})
