import { expect, it } from 'vitest'
import { reportUnusedRules } from '../../../src/cli/log/summary.ts'
import { startServer } from './client.ts'

const rules = [
  { name: 'lists', when: { operation: 'list_api_keys' }, latency: '1ms' },
  { name: 'third list', when: { operation: 'list_api_keys', calls: 3 }, latency: '1ms' },
  { name: 'limit', when: { method: 'GET' }, rate_limit: { requests: 100, per: '1m' } },
]
const launch = { name: 'launch', rules }

const unused = (server: Awaited<ReturnType<typeof startServer>>) =>
  server.sandboxes.launch
    .usedRules()
    .filter(({ fired }) => fired === 0)
    .map(({ scenario, name }) => `${scenario}: ${name}`)

it('The list of unused rules contains every rule that never fired, even if it matched', async () => {
  const server = await startServer({ scenario: launch })
  expect(unused(server)).toEqual(['launch: lists', 'launch: third list', 'launch: limit'])
  await server.default.send('GET', '/api_keys')
  expect(unused(server)).toEqual(['launch: third list', 'launch: limit'])
})

it('The list of unused rules includes other scenarios only with --fail-on-unused', async () => {
  const server = await startServer({ scenario: launch })
  const unusedWith = (failOnUnused: boolean) => {
    const lines: string[] = []
    reportUnusedRules(server, failOnUnused, text => lines.push(text))
    return lines.map(text => /Rule "(.*)" of/.exec(text)?.[1])
  }
  await server.control('PUT', '/sandboxes/mine', { scenario: { name: 'mine', rules: [{ name: 'a', latency: '1ms' }] } })
  await server.default.control('PUT', '/scenario', { name: 'other', rules: [{ name: 'b', latency: '1ms' }] })
  expect(unusedWith(false)).toEqual(['lists', 'third list', 'limit'])
  expect(unusedWith(true)).toEqual(['lists', 'third list', 'limit', 'a', 'b'])
})

it('A rule that fired in any sandbox is used', async () => {
  const server = await startServer({ scenario: launch })
  for (let i = 0; i < 3; i++) await server.send('GET', '/api_keys', { token: 'sim_admin~other' })
  await server.control('DELETE', '/sandboxes/other')
  expect(unused(server)).toEqual(['launch: limit'])
})

it('A scenario that is activated again preserves its rule counts', async () => {
  const server = await startServer()
  const mine = { name: 'mine', rules: rules.slice(0, 2) }
  const first = await server.under(mine)
  await first.send('GET', '/api_keys')
  for (let i = 0; i < 50; i++) await server.default.control('PUT', '/scenario', mine)
  await server.under(mine)
  expect(unused(server)).toEqual(['mine: third list'])
  for (let i = 0; i < 3; i++) await server.default.send('GET', '/api_keys')
  expect(unused(server)).toEqual([])
})

it('The list of unused rules includes scenarios that ended or were replaced', async () => {
  const server = await startServer({ scenario: launch })
  await server.default.control('PUT', '/scenario', { name: 'mine', rules: [{ name: 'never', latency: '1ms' }] })
  await server.default.control('DELETE', '/scenario')
  expect(unused(server)).toEqual(['launch: lists', 'launch: third list', 'launch: limit', 'mine: never'])
})

it('Rules with the same name are counted separately', async () => {
  const server = await startServer()
  const named = (latency: string) => ({ name: 'mine', rules: [{ name: 'slow', latency }] })
  const client = await server.under(named('1ms'))
  await client.send('GET', '/api_keys')
  await server.under(named('2ms'))
  expect(unused(server)).toEqual(['mine: slow'])
})

it('A dry run adds nothing to the list of unused rules', async () => {
  const server = await startServer()
  await server.default.control('PUT', '/scenario?dry_run=true', launch)
  await server.control('GET', '/scenarios')
  expect(unused(server)).toEqual([])
})
