import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSimulator } from '../../../src/simulator/simulator.ts'
import { folderWith } from '../../support/afterwards.ts'
import { startServer } from './client.ts'

const yaml = `# Made for tests
name: from-yaml
description: Lists are refused.
rules:
  - { name: no lists, when: { operation: list_api_keys }, fault: { type: error, status: 503 } }
`
const json = {
  description: 'Lists fail.',
  rules: [{ when: { operation: 'list_api_keys' }, fault: { type: 'error', status: 500 } }],
}
const folder = folderWith({
  'no-lists.yaml': yaml,
  'no-lists-json.json': json,
  'broken.yml': 'rules: [{ latency: 5 }]',
  'Not A Name.yaml': yaml,
  'notes.txt': 'none of ours',
})
const server = await startServer({ scenariosDir: folder })
const refusal = (status: number, says: RegExp) => ({ status, body: { msg: expect.stringMatching(says) } })
const listed = async ({ control }: typeof server, wanted: string) =>
  (await control('GET', '/scenarios')).body.scenarios.find(({ name }: { name: string }) => name === wanted)

describe('A scenario can be set', () => {
  it.each([
    ['as a YAML file', join(folder, 'no-lists.yaml'), 'from-yaml', 503],
    ['as a JSON file', join(folder, 'no-lists-json.json'), 'no-lists-json', 500],
    ['by name, from --scenarios-dir', 'no-lists-json', 'no-lists-json', 500],
    ['by name, from the package', 'outage', 'outage', 503],
    ['as an object', json, 'inline', 500],
  ])('at startup %s', async (_, scenario, name, status) => {
    const { default: client } = await startServer({ scenario, scenariosDir: folder })
    expect((await client.send('GET', '/api_keys')).status).toBe(status)
    expect((await client.control('GET', '/scenario')).body.name).toBe(name)
  })

  it.each([
    ['by name', 'no-lists', 'from-yaml', 503],
    ['as YAML', { yaml }, 'from-yaml', 503],
    ['inline', { ...json, name: 'mine' }, 'mine', 500],
  ])('at run time and in a new sandbox %s', async (_, scenario, name, status) => {
    const client = await server.under('rate-limited')
    const used = await client.control('PUT', '/scenario', scenario)
    expect(used, JSON.stringify(used.body)).toMatchObject({ status: 200, body: { name } })
    expect((await client.send('GET', '/api_keys')).status).toBe(status)
    expect((await (await server.under(scenario)).send('GET', '/api_keys')).status).toBe(status)
  })

  it('by a path only at startup', async () => {
    for (const name of [join(folder, 'no-lists.yaml'), '../scenarios/outage', 'outage.yaml', '..', '']) {
      const response = await server.default.control('PUT', '/scenario', { name })
      expect(response).toMatchObject(refusal(404, /Known: .*outage/))
    }
  })
})

describe('The list of scenarios', () => {
  it('contains both folders, each scenario with its description or problems', async () => {
    expect(await listed(server, 'no-lists')).toEqual({ name: 'no-lists', description: 'Lists are refused.', rules: 1 })
    expect(await listed(server, 'outage')).toMatchObject({ rules: 2 })
    expect((await listed(server, 'broken')).error).toMatch(/broken\.yml:1:11: rules\[0\]\.latency: must be a duration/)
    const { scenarios } = (await server.control('GET', '/scenarios')).body
    const names = scenarios.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...new Set(names)].sort())
    expect(names).not.toContain('Not A Name')
    expect(names).not.toContain('scenario.schema')
  })

  it('prefers --scenarios-dir over the package', async () => {
    const own = await startServer({ scenariosDir: folderWith({ 'outage.json': json }) })
    expect((await own.default.control('PUT', '/scenario', { name: 'outage' })).body.description).toBe('Lists fail.')
  })

  it('suggests the closest match for an unknown name', async () => {
    const used = await server.default.control('PUT', '/scenario', 'slow-netwrk')
    expect(used).toMatchObject(refusal(404, /Did you mean slow-network\?/))
    const made = await server.control('POST', '/sandboxes', { scenario: 'outtage' })
    expect(made).toMatchObject(refusal(404, /Did you mean outage\?/))
  })

  it('reads a file again only if it has changed', async () => {
    const scenariosDir = folderWith({ 'mine.yaml': 'description: old\nclock: { now: 2026-01-01T00:00:00Z }\n' })
    const [file, at] = [join(scenariosDir, 'mine.yaml'), new Date('2026-01-01')]
    const own = await startServer({ scenariosDir })
    const write = (description: string) => {
      writeFileSync(file, readFileSync(file, 'utf8').replace(/: \w+/, `: ${description}`))
      utimesSync(file, at, at)
    }
    write('one')
    expect(await listed(own, 'mine')).toEqual({ name: 'mine', description: 'one', rules: 0 })
    // Same length, time and inode: only the content differs.
    write('two')
    expect((await listed(own, 'mine')).description).toBe('one')
    utimesSync(file, at, new Date('2026-01-02'))
    expect((await listed(own, 'mine')).description).toBe('two')
    rmSync(file)
    expect(await listed(own, 'mine')).toBeUndefined()
    expect(await listed(own, 'outage')).toMatchObject({ rules: 2 })
  })

  it('reads scenarios again if their fixture changed', async () => {
    const fixturesDir = folderWith({ 'base.json': { users: [{ id: 'usr_one' }] } })
    const rules = [{ when: { owner: 'usr_one' }, latency: '1ms' }]
    const scenariosDir = folderWith({ 'mine.json': { fixture: 'base', rules } })
    const own = await startServer({ scenariosDir, fixturesDir })
    expect(await listed(own, 'mine')).toMatchObject({ rules: 1 })
    writeFileSync(join(fixturesDir, 'base.json'), '{"users": [{"id": "usr_other"}]}')
    expect((await listed(own, 'mine')).error).toMatch(/unknown user or bot usr_one/)
  })
})

describe('A dry run', () => {
  it('checks a scenario and changes nothing', async () => {
    const client = await server.under('outage')
    const checked = await client.control('PUT', '/scenario?dry_run=true', { yaml })
    expect(checked).toEqual({ status: 200, body: { valid: true, name: 'from-yaml', rules: 1 } })
    expect((await client.control('GET', '/scenario')).body.name).toBe('outage')
    const state = { api_keys: [{ id: 'ak_new' }] }
    expect((await client.control('PUT', '/scenario?dry_run=true', { state })).status).toBe(200)
    expect(await client.keys()).toHaveLength(3)
  })

  it('must be true or false', async () => {
    const client = await server.under('outage')
    for (const word of ['yes', '1', '']) {
      const response = await client.control('PUT', `/scenario?dry_run=${word}`, { yaml })
      expect(response).toMatchObject(refusal(400, /"dry_run" must be true or false/))
    }
    expect((await client.control('PUT', '/scenario?dry_run=false', { yaml })).body.name).toBe('from-yaml')
  })
})

describe('A scenario as YAML', () => {
  it('has one line per rule setting, and quotes ambiguous values', async () => {
    const scenario = {
      name: 'mine',
      seed: '7',
      rules: [{ name: 'a: b', when: { method: ['POST', 'PUT'], calls: '1-3' }, latency: '5ms' }],
    }
    const { status, body } = await server.control('POST', '/scenario/yaml', scenario)
    expect(status).toBe(200)
    expect(body.yaml).toBe(`name: mine
seed: "7"
rules:
  - name: "a: b"
    when: { method: [ POST, PUT ], calls: 1-3 }
    latency: 5ms
`)
    expect((await server.default.control('GET', '/scenario')).body.name).toBe(null)
  })

  it('is rejected above the size that is written in one piece', async () => {
    const response = await server.control('POST', '/scenario/yaml', { description: 'x'.repeat(40 * 1024) })
    expect(response).toMatchObject(refusal(400, /larger than 40 KiB, the limit for YAML/))
  })
})

it('A scenario as YAML must be the only field', async () => {
  const response = await server.default.control('PUT', '/scenario', { yaml, name: 'x' })
  expect(response).toMatchObject(refusal(400, /"yaml" cannot be combined/))
})

it('An unknown scenario is rejected at startup', async () => {
  await expect(runSimulator({ scenario: join(folder, 'nope.yaml') })).rejects.toThrow(
    /nope\.yaml:1:1: cannot read the file/,
  )
})
