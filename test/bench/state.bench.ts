import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkFixture, type Fixture } from '../../src/engine/fixtures/index.ts'
import { Sandbox } from '../../src/engine/sandbox/index.ts'
import { baseOf } from '../../src/engine/state/index.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { runSimulator } from '../../src/simulator/simulator.ts'
import { folderWith } from '../support/afterwards.ts'
import { startEdgesim } from '../support/as-process.ts'
import { pooledClient } from '../support/raw-http.ts'
import { compare, manyKeys, report } from './measure.ts'

const folder = folderWith()

/** One keep-alive connection, one request at a time. */
function client(port: number) {
  const { send } = pooledClient(port, 1)
  return async (method: string, path: string, body?: string) => {
    const { status, text } = await send({ method, path, body })
    if (status >= 300) throw new Error(text)
  }
}

const withDb = async (count: number) => runSimulator({ fixture: manyKeys(count), db: join(folder, `${count}.json`) })

it('costs the same at 100,000 records as at 1,000', async () => {
  const [small, large] = [await withDb(1000), await withDb(100_000)]
  const [toSmall, toLarge] = [client(small.port), client(large.port)]
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
    const seen = `${ratio.toFixed(2)}× (${times.small!.toFixed(3)} → ${times.large!.toFixed(3)} ms)`
    report(name, seen, '≤ 1.2×', ratio <= 1.2)
  }
  await Promise.all([small.close(), large.close()])
  // Far over the limit: some code visits all records.
  expect(Math.max(...ratios)).toBeLessThan(5)
})

it('forks and resets in the same time with any fixture', async () => {
  const make = (count: number) => {
    const { rows } = checkFixture(manyKeys(count), { catalog: ngrok.catalog, now: 0 }) as Fixture
    const launch = { api: ngrok, base: baseOf(ngrok.catalog, rows), tokens: [], vendor: 'service', assumed: {} }
    const fork = () => new Sandbox('bench', launch, () => {})
    const sandbox = fork()
    return {
      fork,
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
    const seen = `${ratio.toFixed(2)}×, ${times.large!.toFixed(4)} ms`
    report(`${what} at 100,000 records`, seen, '≤ 1.2×, ≤ 0.2 ms', ratio <= 1.2 && times.large! <= 0.2)
  }
  expect(Math.max(...ratios)).toBeLessThan(5)
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
