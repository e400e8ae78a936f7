import http from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFixture, type Fixture } from '../../src/engine/fixtures/index.ts'
import { Sandbox } from '../../src/engine/sandbox/index.ts'
import { baseOf } from '../../src/engine/state/index.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { compare, manyKeys, report } from './measure.ts'

const folder = folderWith()

/** One keep-alive connection, one request at a time. */
function client(url: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  return (method: string, path: string, body?: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        authorization: 'Bearer sim_admin',
        'service-version': '2',
        ...(body ? { 'content-type': 'application/json' } : {}),
      }
      const req = http.request(url + path, { method, agent, headers }, res => {
        let text = ''
        res.on('data', chunk => {
          text += chunk
        })
        res.on('end', () => (res.statusCode! < 300 ? resolve(text) : reject(new Error(text))))
      })
      req.on('error', reject)
      req.end(body)
    })
}

const withDb = async (count: number) => runSimulator({ fixture: manyKeys(count), db: join(folder, `${count}.json`) })

it('costs the same at 100,000 records as at 1,000', async () => {
  const [small, large] = [await withDb(1000), await withDb(100_000)]
  const [toSmall, toLarge] = [client(small.url), client(large.url)]
  const cases = {
    'durable create': ['POST', '/api_keys', '{"description":"bench"}'],
    'page of 100': ['GET', '/api_keys?limit=100'],
    'page of 100 in the middle': ['GET', '/api_keys?limit=100&before_id=ak_00000500'],
    'get by id': ['GET', '/api_keys/ak_00000500'],
  } as const
  const ratios: number[] = []
  for (const [name, [method, path, body]] of Object.entries(cases)) {
    const times = await compare({ small: () => toSmall(method, path, body), large: () => toLarge(method, path, body) })
    const ratio = times.large! / times.small!
    ratios.push(ratio)
    report(
      name,
      `${ratio.toFixed(2)}× (${times.small!.toFixed(3)} → ${times.large!.toFixed(3)} ms)`,
      '≤ 1.2×',
      ratio <= 1.2,
    )
  }
  await Promise.all([small.close(), large.close()])
  // Far over the limit: some code visits all records.
  expect(Math.max(...ratios)).toBeLessThan(5)
})

it('forks and resets in the same time with any fixture', async () => {
  const make = (count: number) => {
    const { rows } = checkFixture(manyKeys(count), { catalog: ngrok.catalog, now: 0 }) as Fixture
    const base = baseOf(ngrok.catalog, rows)
    const sandbox = new Sandbox('bench', { api: ngrok, base, tokens: [], vendor: 'service', assumed: {} }, () => {})
    return {
      fork: () => new Sandbox('fork', { api: ngrok, base, tokens: [], vendor: 'service', assumed: {} }, () => {}),
      reset: () => {
        for (let i = 0; i < 3; i++) {
          const row = { id: `ak_new${i}`, created_at: '2026-01-01T00:00:00Z', owner_id: 'usr_admin' }
          sandbox.commit({ kind: 'record' }, [{ table: 'api_keys', id: row.id, before: null, after: row }])
        }
        sandbox.reset()
      },
    }
  }
  const [small, large] = [make(10), make(100_000)]
  const ratios: number[] = []
  for (const what of ['fork', 'reset'] as const) {
    const times = await compare({ small: small[what], large: large[what] }, { rounds: 25, each: 2000 })
    const ratio = times.large! / times.small!
    ratios.push(ratio)
    report(
      `${what} at 100,000 records`,
      `${ratio.toFixed(2)}×, ${times.large!.toFixed(4)} ms`,
      '≤ 1.2×, ≤ 0.2 ms',
      ratio <= 1.2 && times.large! <= 0.2,
    )
  }
  expect(Math.max(...ratios)).toBeLessThan(5)
})

it('holds 10,000 sandboxes of a 10,000-record fixture', async () => {
  const simulator = await runSimulator({ fixture: manyKeys(10_000), maxSandboxes: 20_000 })
  const collect = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = collect()
  for (let i = 0; i < 10_000; i++) simulator.sandboxes.forToken({ secret: 'sim_admin', name: `s${i}` })
  const added = (collect() - before) / 1e6
  report('10,000 sandboxes', `${added.toFixed(1)} MB${globalThis.gc ? '' : ' (without gc)'}`, '≤ 100 MB', added <= 100)
  await simulator.close()
  expect(simulator.sandboxes.list()).toHaveLength(10_001)
})

it('starts with a database of 100,000 records', async () => {
  const db = join(folder, 'start.json')
  await (await runSimulator({ fixture: manyKeys(100_000), db })).close()
  const began = performance.now()
  const cli = await startEdgesim(['--db', db])
  const took = performance.now() - began
  report('start with 100,000 records', `${Math.round(took)} ms`, '≤ 2000 ms', took <= 2000)
  await cli.stop()
  expect(cli.ready.token).toBe('sim_admin')
})
