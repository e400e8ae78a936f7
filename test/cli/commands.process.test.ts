import { describe, expect, it } from 'vitest'
import { type CommandName, commands } from '../../src/cli/commands/commands.ts'
import { folderWith, root } from '../support/afterwards.ts'
import { edgesim } from '../support/as-process.ts'
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
    const files = ['scenarios/outage.yaml', 'fixtures/default.json']
    const { code, out } = await edgesimHere(['validate', ...files], { cwd: root })
    expect(code).toBe(0)
    expect(out).toMatch(/outage\.yaml: valid scenario "outage" \(2 rules\)\n.*default\.json: valid fixture \(2 users,/)
  })

  it('checks a scenario against the given fixture', async () => {
    const folder = folderWith({ 'mine.yaml': SCENARIO, 'fixture.json': { users: [{ id: 'usr_me' }] } })
    const alone = await edgesimHere(['validate', 'mine.yaml'], { cwd: folder })
    expect(alone).toMatchObject({ code: 2, err: expect.stringMatching(/^mine\.yaml:3:\d+: .*usr_me/) })
    const { code, out } = await edgesimHere(['validate', '--fixture', 'fixture.json', 'mine.yaml'], { cwd: folder })
    expect({ code, out }).toEqual({ code: 0, out: 'mine.yaml: valid scenario "mine" (1 rule)\n' })
  })
})

describe.concurrent('edgesim openapi', () => {
  it.runIf(ALL)('prints the OpenAPI that the simulator serves', async () => {
    const { call, port } = await simulate()
    const { code, out } = await edgesimHere(['openapi', '--port', String(port)])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual((await call('GET', '/_sim/openapi.json')).body)
  })

  it('applies the options', async () => {
    const { code, out } = await edgesimHere(['openapi', '--vendor', 'ngrok', '--base-url', 'https://api.example.test/'])
    expect(code).toBe(0)
    const { servers, components } = JSON.parse(out)
    expect(servers).toEqual([{ url: 'https://api.example.test' }])
    expect(components.parameters.version.name).toBe('Ngrok-Version')
  })
})
