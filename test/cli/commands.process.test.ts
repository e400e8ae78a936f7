import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CommandName, commands } from '../../src/cli/commands/commands.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { edgesim, startEdgesim } from '../support/as-process.ts'
import { edgesimHere, simulate } from '../support/in-process.ts'
import { ALL } from '../support/long.ts'

const SCENARIO = 'name: mine\nrules:\n  - when: { owner: usr_me }\n    fault: { type: reset }\n'

/** Output by command. Tested elsewhere: start (start.process.test.ts) and mcp (test/mcp). */
const PRINTED: Record<Exclude<CommandName, 'start' | 'mcp'>, [args: string[], out: RegExp]> = {
  exec: [['--', process.execPath, '-p', 'process.env.EDGESIM_TOKEN'], /^sim_admin\n$/],
  env: [['--url', 'URL'], /EDGESIM_URL/],
  health: [['--url', 'URL'], /^ok: edgesim /],
  validate: [['fixture.json'], /^fixture\.json: valid fixture/],
  import: [['--url', 'URL', '--out', 'account.yaml', '--pace', '60000'], /account\.yaml/],
  init: [[], /^wrote +edgesim\/fixture\.yaml\n/],
  assumptions: [[], /missing_version/],
  openapi: [[], /^\{\n {2}"openapi": "3\.1/],
  probe: [['--plan', 'missing_version'], /GET \/api_keys/],
  completion: [['bash'], /complete .*edgesim/],
}

describe.concurrent('As a process', async () => {
  const { url } = await simulate()

  it('every command is tested', () => {
    expect([...Object.keys(PRINTED), 'start', 'mcp'].sort()).toEqual(Object.keys(commands).sort())
  })

  it.runIf(ALL).each(Object.entries(PRINTED))('edgesim %s succeeds', async (name, [args, printed]) => {
    const cwd = folderWith({ 'fixture.json': { users: [{ id: 'usr_me' }] } })
    const env = { EDGESIM_API_KEY: 'sim_admin' }
    const { code, out, err } = await edgesim([name, ...args.map(each => (each === 'URL' ? url : each))], { cwd, env })
    expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(printed)
  })
})

describe.concurrent('edgesim validate', () => {
  it('recognizes scenarios by their content', async () => {
    const { code, out } = await edgesimHere([
      'validate',
      join(root, 'scenarios/outage.yaml'),
      join(root, 'fixtures/default.json'),
    ])
    expect(code).toBe(0)
    expect(out).toMatch(/outage\.yaml: valid scenario "outage" \(2 rules\)\n.*default\.json: valid fixture \(2 users,/)
  })

  it('reports the position of an error in a scenario', async () => {
    const folder = folderWith({
      'bad.yaml': 'rules:\n  - when: { operation: creat_api_key }\n    fault: { type: reset }\n',
    })
    const { code, err } = await edgesimHere(['validate', 'bad.yaml'], { cwd: folder })
    expect(code).toBe(2)
    expect(err).toMatch(/^bad\.yaml:2:\d+: .*create_api_key/)
  })

  it('checks a scenario against the given fixture', async () => {
    const folder = folderWith({ 'mine.yaml': SCENARIO, 'fixture.json': { users: [{ id: 'usr_me' }] } })
    const alone = await edgesimHere(['validate', 'mine.yaml'], { cwd: folder })
    expect(alone).toMatchObject({ code: 2, err: expect.stringMatching(/^mine\.yaml:3:\d+: .*usr_me/) })
    const { code, out } = await edgesimHere(['validate', '--fixture', 'fixture.json', 'mine.yaml'], { cwd: folder })
    expect({ code, out }).toEqual({ code: 0, out: 'mine.yaml: valid scenario "mine" (1 rule)\n' })
  })
})

describe.concurrent('edgesim start', () => {
  it('accepts the name of a fixture', async () => {
    const { ready, call } = await startEdgesim(['empty'])
    expect(ready.fixture).toBe('empty')
    expect((await call('GET', '/api_keys')).body.keys).toHaveLength(1)
  })
})

describe.concurrent('edgesim openapi', () => {
  it.runIf(ALL)('prints the OpenAPI that the simulator serves', async () => {
    const { ready } = await startEdgesim()
    const served = await (await fetch(`${ready.url}/_sim/openapi.json`)).json()
    const { code, out } = await edgesimHere(['openapi', '--port', new URL(ready.url).port])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(served)
  })

  it('applies the options', async () => {
    const { code, out } = await edgesimHere(['openapi', '--vendor', 'ngrok', '--base-url', 'https://api.example.test/'])
    expect(code).toBe(0)
    const { servers, components } = JSON.parse(out)
    expect(servers).toEqual([{ url: 'https://api.example.test' }])
    expect(components.parameters.version.name).toBe('Ngrok-Version')
  })
})
