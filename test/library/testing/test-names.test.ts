import { afterEach, describe, expect, it, vi } from 'vitest'
import { NAME } from '../../../src/contract/names.ts'
import { startSimulator } from '../../../src/index.ts'
import type { SimulatorHandle } from '../../../src/library/simulator-handle.ts'
import { describeRequests, sandboxOf } from '../../../src/library/testing/server.ts'
import { afterwards } from '../../support/afterwards.ts'
import { callsOf } from '../../support/http.ts'

const here = { sandbox: async (name: string) => ({ name }) } as unknown as SimulatorHandle

const nameOf = async (title: string, ...others: unknown[]) => (await sandboxOf(here, {}, title, others)).name

afterEach(() => vi.unstubAllEnvs())

describe('The sandbox of a test', () => {
  it('has a name that depends only on the test without a shared simulator', async () => {
    vi.stubEnv('EDGESIM_URL', undefined)
    expect(await nameOf('Keys: a new one works!', 'keys.test.js', 0)).toMatch(/^keys-a-new-one-works-[0-9a-f]{10}$/)
    expect(await nameOf('works', 'keys.test.js', 0)).toBe('works-80275038b7')
    expect(await nameOf('works', 'keys.test.js', 0)).not.toBe(await nameOf('works', 'keys.test.js', 1))
  })

  it('has a new name in each run with a shared simulator, unless EDGESIM_RUN is set', async () => {
    const named = async (url: string | undefined, run: string | undefined) => {
      vi.stubEnv('EDGESIM_URL', url)
      vi.stubEnv('EDGESIM_RUN', run)
      return nameOf('works')
    }
    const shared = 'http://127.0.0.1:1'
    const nightly = await named(shared, 'nightly')
    expect(nightly).toBe('works-16c1256ec7')
    const others = [await named(undefined, undefined), await named(shared, undefined), await named(shared, 'other')]
    expect(new Set([nightly, ...others]).size).toBe(4)
  })

  it('has the fixture, scenario and seed of the test, unless exec or a worker started the simulator', async () => {
    const server = await startSimulator()
    afterwards(() => server.close())
    const fixture = { users: [{ id: 'usr_me' }], api_keys: [{ id: 'ak_mine', owner_id: 'usr_me', token: 'my_token' }] }
    const seen = async (url: string | undefined, exec?: string) => {
      vi.stubEnv('EDGESIM_URL', url)
      vi.stubEnv('EDGESIM_EXEC', exec)
      const sandbox = await sandboxOf(server, { fixture, scenario: 'outage', seed: 7 }, `of ${url} ${exec}`, [])
      const { name, seed } = await sandbox.scenario()
      return [sandbox.token.split('~')[0], name, seed]
    }
    expect(await seen(server.url)).toEqual(['my_token', 'outage', '7'])
    expect(await seen(server.url, '1')).toEqual(['sim_admin', null, undefined])
    expect(await seen(undefined)).toEqual(['sim_admin', null, undefined])
  })

  it.each([
    '',
    '-',
    'x'.repeat(500),
    'ünïcödé — 日本語',
    '_',
    `${'a'.repeat(39)} b`,
  ])('has a valid name for a test called %j', async title => {
    expect(await nameOf(title)).toMatch(NAME)
  })
})

it('The requests of a failed test are printed without control characters', async () => {
  const sim = await startSimulator({ port: 0 })
  afterwards(() => sim.close())
  const sandbox = await sim.sandbox('printed')
  await callsOf(sandbox).call('POST', '/api_keys', { '\u001b[31mred': 1 })
  const printed = await describeRequests(sandbox, sim)
  expect(printed).toMatch(/400 POST \/api_keys .*red/)
  expect(printed).not.toContain('\u001b')
})
