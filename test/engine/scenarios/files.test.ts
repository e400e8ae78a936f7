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

const statusUnder = async (given: unknown) => {
  const client = await server.under('rate-limited')
  const used = await client.control('PUT', '/scenario', given)
  expect(used.status, JSON.stringify(used.body)).toBe(200)
  return { name: used.body.name, status: (await client.send('GET', '/api_keys')).status }
}

describe('A scenario can be set', () => {
  it.each([
    ['no-lists.yaml', 503],
    ['no-lists-json.json', 500],
  ])('at startup as the file %s', async (file, status) => {
    const { default: client } = await startServer({ scenario: join(folder, file) })
    expect((await client.send('GET', '/api_keys')).status).toBe(status)
  })

  it('at startup by name, from --scenarios-dir or the package', async () => {
    const own = await startServer({ scenario: 'no-lists-json', scenariosDir: folder })
    expect((await own.default.send('GET', '/api_keys')).status).toBe(500)
    const { default: client } = await startServer({ scenario: 'outage', scenariosDir: folder })
    expect((await client.control('GET', '/scenario')).body.name).toBe('outage')
  })

  it('at startup as an object', async () => {
    const { default: client } = await startServer({ scenario: json })
    expect((await client.send('GET', '/api_keys')).status).toBe(500)
    expect((await client.control('GET', '/scenario')).body.name).toBe('inline')
  })

  it('at run time by name, as YAML, or inline', async () => {
    expect(await statusUnder({ name: 'no-lists' })).toEqual({ name: 'from-yaml', status: 503 })
    expect(await statusUnder({ name: 'no-lists-json' })).toEqual({ name: 'no-lists-json', status: 500 })
    expect(await statusUnder({ yaml })).toEqual({ name: 'from-yaml', status: 503 })
    expect(await statusUnder({ ...json, name: 'mine' })).toEqual({ name: 'mine', status: 500 })
  })

  it('in a new sandbox, in any of these ways', async () => {
    for (const [scenario, status] of [
      ['no-lists', 503],
      [{ yaml }, 503],
      [json, 500],
    ] as const)
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
    const { scenarios } = (await server.control('GET', '/scenarios')).body
    const named = (name: string) => scenarios.find((each: { name: string }) => each.name === name)
    expect(named('no-lists')).toEqual({ name: 'no-lists', description: 'Lists are refused.', rules: 1 })
    expect(named('outage')).toMatchObject({ name: 'outage', rules: 2 })
    expect(named('broken').error).toMatch(/broken\.yml:1:11: rules\[0\]\.latency: must be a duration/)
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
    const used = await server.default.control('PUT', '/scenario', { name: 'slow-netwrk' })
    expect(used).toMatchObject(refusal(404, /Did you mean slow-network\?/))
    const made = await server.control('POST', '/sandboxes', { scenario: 'outtage' })
    expect(made).toMatchObject(refusal(404, /Did you mean outage\?/))
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

  it('reports problems with their locations', async () => {
    const wrong = { yaml: 'rules:\n  - latncy: 1s' }
    const { status, body } = await server.default.control('PUT', '/scenario?dry_run=true', wrong)
    expect(status).toBe(400)
    const message = expect.stringMatching(/Did you mean latency\?/)
    expect(body.problems[0]).toMatchObject({ line: 2, column: 5, message })
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

describe('The list of scenarios', () => {
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
