import { once } from 'node:events'
import { get } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SandboxHandle } from '../../../src/index.ts'
import { LONG_MS } from '../../support/long.ts'
import { PROXIES } from './proxies.ts'
import { type Shared, startShared } from './shared.ts'

const call = ({ url, token }: SandboxHandle, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'service-version': '2', connection: 'close', ...init.headers },
  })

/** A response as its client sees it, and its sender. */
async function seen(request: Promise<Response>): Promise<string> {
  const response = await request.catch(() => undefined)
  if (!response) return 'nothing'
  const by = response.headers.has('edgesim-instance') ? 'edgesim' : 'the proxy'
  const body = await response.json().then(
    () => 'JSON',
    error => (error instanceof SyntaxError ? 'no JSON' : 'cut off'),
  )
  return `${response.status}, ${body}, from ${by}`
}

/** The latest request, after its end. */
async function latestOf(sandbox: SandboxHandle) {
  const latest = async () => (await sandbox.requests())[0]!
  await expect.poll(async () => (await latest()).duration_ms).toBeTypeOf('number')
  return latest()
}

const BROKEN = '502, no JSON, from the proxy'

/** The table of docs/scale-out.md for a POST: whether it is executed, and the response. */
const FAULTS = [
  { fault: { type: 'error' as const, status: 503 }, carriedOut: false, nginx: '503, JSON, from edgesim' },
  { fault: { type: 'reset' as const }, carriedOut: false, nginx: BROKEN },
  { fault: { type: 'lost-reply' as const }, carriedOut: true, nginx: BROKEN },
  { fault: { type: 'hang' as const, for: '100ms' as const }, carriedOut: false, nginx: BROKEN },
  { fault: { type: 'truncate' as const }, carriedOut: true, nginx: '201, cut off, from edgesim' },
  { fault: { type: 'garbage' as const }, carriedOut: true, nginx: '200, no JSON, from edgesim' },
  { fault: { type: 'garbage' as const, what: 'http' as const }, carriedOut: true, nginx: 'nothing', haproxy: BROKEN },
  { fault: { type: 'slow-body' as const }, carriedOut: true, nginx: '201, JSON, from edgesim' },
]

const DAY = '2030-01-01T00:00:00Z'

describe.each(PROXIES)('Through $proxy', { timeout: LONG_MS }, ({ proxy, is }) => {
  let shared: Shared
  beforeAll(async () => {
    if (is) shared = await startShared({ proxy, args: ['--trust-proxy'] })
  })

  it.skipIf(!is)('faults are unchanged, or 502 if the connection breaks', async () => {
    const sim = await shared.connected()
    for (const { fault, carriedOut, ...expected } of FAULTS) {
      const sandbox = await sim.sandbox()
      await sandbox.useScenario({ rules: [{ fault }] })
      const what = await seen(call(sandbox, '/api_keys', { method: 'POST' }))
      expect(what, JSON.stringify(fault)).toBe(expected[proxy] ?? expected.nginx)
      expect((await latestOf(sandbox)).change !== null, JSON.stringify(fault)).toBe(carriedOut)
    }
    // The proxy forwards the disconnection, which ends a hang.
    const sandbox = await sim.sandbox()
    await sandbox.useScenario({ rules: [{ fault: { type: 'hang' } }] })
    expect(await seen(call(sandbox, '/api_keys', { signal: AbortSignal.timeout(200) }))).toBe('nothing')
    expect(await latestOf(sandbox)).toMatchObject({ status: null, change: null })
  })

  it.skipIf(!is)('responses are streamed, with the right time, address and source', async () => {
    const sandbox = await (await shared.connected()).sandbox()
    const events = sandbox.events()
    const first = events.next()
    await sandbox.clock.freeze(DAY)
    const headers = { 'x-forwarded-for': '10.1.2.3', 'x-forwarded-proto': 'https' }
    let response!: Response
    const ask = async () => {
      response = await call(sandbox, '/api_keys/ak_admin', { headers })
      return Promise.race([first, undefined])
    }
    await expect.poll(ask).toMatchObject({ value: { type: 'request' } })
    await events.return()
    expect(Date.parse(response.headers.get('date')!)).toBe(Date.parse(DAY))
    expect((await response.json()).uri).toBe(`${shared.url}/api_keys/ak_admin`)
    expect(await latestOf(sandbox)).toMatchObject({ source_ip: '10.1.2.3' })
    if (process.platform === 'linux') {
      const from = { localAddress: '127.0.0.7', headers: { authorization: `Bearer ${sandbox.token}` }, agent: false }
      await once(get(`${shared.url}/api_keys`, from), 'response')
      expect(await latestOf(sandbox)).toMatchObject({ source_ip: '127.0.0.7' })
    }

    await sandbox.useScenario({ rules: [{ fault: { type: 'slow-body', bytes_per_second: 400 } }] })
    let chunks = 0
    for await (const _ of (await call(sandbox, '/api_keys/ak_admin')).body!) chunks++
    expect(chunks).toBeGreaterThan(1)
  })

  it.skipIf(!is)('a request over the limit is rejected by edgesim', async () => {
    const sandbox = await (await shared.connected()).sandbox()
    const long = { headers: { 'x-long': 'a'.repeat(20_000) } }
    expect(await seen(call(sandbox, '/api_keys', long))).toBe('431, JSON, from edgesim')
    const large = { method: 'POST', body: JSON.stringify('a'.repeat(100_000)) }
    expect(await seen(call(sandbox, '/api_keys', large))).toBe('413, JSON, from edgesim')
  })
})
