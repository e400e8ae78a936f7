import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, writeFiles } from '../support/afterwards.ts'
import { launch, projectWith } from '../support/as-process.ts'
import { LONG } from '../support/long.ts'

const folder = await projectWith(['vitest', '@playwright/test', '@types/node'])

writeFiles(folder, {
  'index.ts': `
    import { ControlError, connect, startSimulator, VerifyError } from 'edgesim'
    import type { ConnectOptions, Difference, Expectation, Har, HarEntry, JournalEntry, Miss, Pattern, RequestFilter } from 'edgesim'
    import type { SandboxHandle, SimulatorHandle, SimulatorOptions, State } from 'edgesim'
    import type { AssumptionName, Fixture, IpPolicy, OperationName, Rule, Scenario } from 'edgesim'
    import { type ErrorCode, FileError, type Lenient, type Refusal, SimulatorError } from 'edgesim'
    import json from './scenario.json' with { type: 'json' }

    const options: SimulatorOptions = { port: 0, fixture: { users: [] }, assume: { missing_version: 'accept' } }
    // @ts-expect-error: there is no such option
    const misspelt: SimulatorOptions = { prot: 0 }
    // @ts-expect-error: there is no such assumption
    const unknown: SimulatorOptions = { assume: { page_oder: 'x' } }

    // @ts-expect-error: there is no such table
    const noTable: SimulatorOptions = { fixture: { user: [] } }
    // @ts-expect-error: keys have no such field
    const noField: SimulatorOptions = { fixture: { api_keys: [{ id: 'ak_x', descripton: 'x' }] } }

    // Literal types where values are written inline …
    const fixture: Fixture = {
      users: [{ id: 'usr_me', admin: true }],
      api_keys: [{ id: 'ak_mine', owner_id: 'usr_me', token: 'mine' }],
      ip_policies: [{ id: 'ipp_home', rules: [{ action: 'allow', cidr: '10.0.0.0/8' }] }],
    }
    // @ts-expect-error: the id of a key begins with ak_
    const wrongId: Fixture = { api_keys: [{ id: 'key_mine' }] }
    // @ts-expect-error: a key is owned by a user or a bot
    const wrongOwner: Fixture = { api_keys: [{ id: 'ak_mine', owner_id: 'ak_other' }] }
    // @ts-expect-error: allow, deny
    const wrongAction: Fixture = { ip_policies: [{ id: 'ipp_x', rules: [{ action: 'alow', cidr: '::/0' }] }] }
    const rule: Rule = { when: { operation: ['create_api_key'], calls: '2-' }, fault: { type: 'error', status: 503 } }
    const scenario: Scenario = { rules: [rule, { latency: '250ms' }], assume: { page_order: 'oldest_first' } }
    const name: AssumptionName = 'missing_version'
    const operation: OperationName = 'get_tcp_edge_ip_restriction_module'

    // … and plain strings in values from elsewhere: imported JSON, the user's own interfaces.
    interface Mine {
      users: { id: string; admin: boolean }[]
      ip_restrictions: { id: string; type: string }[]
    }
    interface MyScenario {
      rules: { fault: { type: string; status: number }; when: { operation: string; between: string[] } }[]
      assume: { page_order: string }
    }
    declare const mine: Mine
    declare const myScenario: MyScenario
    const imported = { users: [{ id: 'usr_me' }], ip_policies: [{ id: 'ipp_x', rules: [{ action: 'deny', cidr: '::/0' }] }] }
    const theirs: SimulatorOptions[] = [{ fixture: mine, scenario: myScenario }, { fixture: imported }, { fixture, scenario }]

    const sim: SimulatorHandle = await startSimulator(options)
    const refused: Refusal[] = await sim.refusals()
    const sandbox: SandboxHandle = await sim.sandbox('a')
    const filter: RequestFilter = { status: '4xx', limit: 3 }
    const entries: JournalEntry[] = await sandbox.requests(filter)
    const why: string | undefined = entries[0]?.explanation?.text
    const har: Har = await sandbox.har(filter)
    const first: HarEntry | undefined = har.log.entries[0]
    const size: number | undefined = first?.response.content.size
    const pattern: Pattern = { operation: 'create_api_key', where: { 'body.description': 'x' } }
    const expectation: Expectation = { ...pattern, count: 1 }
    const ids: string[] = await sandbox.verify(expectation)
    const state: State = await sandbox.state()
    const owner: \`usr_\${string}\` | \`bot_\${string}\` | \`service_\${string}\` | undefined = state.api_keys[0]?.owner_id
    await sandbox.setState(state)
    await sandbox.setState(mine)

    // An inline scenario is strict, like Scenario …
    await sandbox.useScenario('outage')
    await sandbox.useScenario({ rules: [{ when: { calls: '1' }, fault: { type: 'error', status: 503 } }, { latency: '250ms' }] })
    // @ts-expect-error: there is no such fault
    await sandbox.useScenario({ rules: [{ when: { path: String(name) }, fault: { type: 'eror', status: 503 } }] })
    // @ts-expect-error: there is no such operation
    await sandbox.useScenario({ rules: [{ when: { operation: 'creat_api_key' }, latency: '250ms' }] })
    // @ts-expect-error: a duration has a unit
    await sandbox.useScenario({ rules: [{ latency: '250' }] })
    // @ts-expect-error: there is no such value
    await sandbox.useScenario({ assume: { page_order: 'random' } })
    // @ts-expect-error: scenarios have no such member
    await sandbox.useScenario({ name: 'mine', ruels: [] })
    // @ts-expect-error: rules have no such member
    await sandbox.useScenario({ rules: [{ name: 'slow', latency: '1ms', falt: { type: 'reset' } }] })
    // @ts-expect-error: faults have no such member
    await sandbox.useScenario({ rules: [{ fault: { type: 'error', status: 503, retry_afer: '2s' } }] })

    // … but a value of type string is accepted, also in a part of it.
    await sandbox.useScenario(json)
    await sandbox.useScenario(myScenario)
    await sandbox.useScenario({ rules: [{ when: { operation: json.rules[0]!.when!.operation }, fault: { type: 'reset' } }] })
    await sandbox.useScenario(scenario as string | Lenient<Scenario>)
    await sandbox.useScenario({ rules: [{ latency: '250ms' }, { fault: { type: 'reset' } }] } as const)
    await sim.sandbox('b', { fixture: mine, scenario, seed: 1 })
    const policies = sandbox.db('ip_policies')
    const added: IpPolicy = await policies.add({ rules: [{ action: 'allow', cidr: '::1/128' }] })
    await policies.change(added.id, { description: null })
    // @ts-expect-error: there is no such field
    await policies.add({ rule: [] })
    // @ts-expect-error: there is no such table
    sandbox.db('ip_policy')
    // @ts-expect-error: there is no such operation
    await sandbox.verify({ operation: 'creat_api_key' })
    const asked: OperationName | null | undefined = entries[0]?.operation
    await sandbox.clock.freeze(new Date())
    try {
      const access: ConnectOptions = { controlToken: 'secret' }
      await using other = await connect(sim.url, access)
      await using theirs = await other.sandbox()
    } catch (error) {
      if (error instanceof VerifyError) {
        const misses: Miss[] = error.nearest
        const differs: Difference[] | undefined = misses[0]?.differs
      }
      if (error instanceof ControlError) error.status satisfies number
      if (error instanceof FileError) error.problems.map(({ line, column, message }) => message satisfies string)
      if (error instanceof SimulatorError) error.code satisfies ErrorCode
    }`,
  'scenario.json': JSON.stringify({
    rules: [
      { when: { operation: 'create_api_key' }, fault: { type: 'error', status: 503, retry_after: '2s' } },
      { latency: { min: '1ms', max: '2ms' } },
    ],
    assume: { page_order: 'oldest_first' },
    state: { ip_policies: [{ id: 'ipp_x', rules: [{ action: 'deny', cidr: '::/0' }] }] },
  }),
  'vitest.ts': `
    import { expect as plain } from 'vitest'
    import { expect, test } from 'edgesim/vitest'
    test('types', async ({ sandbox, edgesim }) => {
      const text: string = sandbox.token + edgesim.url
      await plain(sandbox).toHaveReceived({ operation: 'create_api_key', count: 1 })
      // @ts-expect-error: there is no such operation
      await expect(sandbox).not.toHaveReceived({ operation: 'creat_api_key' })
      // @ts-expect-error: there is no such fixture
      ;({}) as Parameters<Parameters<typeof test>[1] & {}>[0]['sandbx']
    })`,
  'playwright.ts': `
    import { expect, test } from 'edgesim/playwright'
    test('types', async ({ sandbox, edgesim, request }) => {
      const text: string = sandbox.token + edgesim.url
      await expect(sandbox).toHaveReceived({ operation: 'create_api_key', count: 1 })
      // @ts-expect-error: there is no such operation
      await expect(sandbox).not.toHaveReceived({ operation: 'creat_api_key' })
      // @ts-expect-error: a text is no sandbox
      await expect(text).toHaveReceived({ operation: 'create_api_key' })
      await request.get(text)
    })
    test.use({ edgesimOptions: { fixture: 'empty' } })`,
  'playwright.config.ts': `
    import { defineConfig } from '@playwright/test'
    import type { EdgesimOptions } from 'edgesim/playwright'
    export default defineConfig<EdgesimOptions>({
      use: { edgesimOptions: { fixture: 'empty', vendor: 'ngrok' } },
      projects: [{ name: 'seeded', use: { edgesimOptions: { seed: 1 } } }],
    })
    // @ts-expect-error: there is no such option
    defineConfig<EdgesimOptions>({ use: { edgesimOptions: { fixtur: 'empty' } } })`,
  'vitest.config.ts': `
    import type {} from 'edgesim/vitest'
    import { defineConfig } from 'vitest/config'
    export default defineConfig({ test: { provide: { edgesimOptions: { fixture: 'empty', seed: 1 } } } })
    // @ts-expect-error: there is no such option
    defineConfig({ test: { provide: { edgesimOptions: { fixtur: 'empty' } } } })`,
})

/** Test runners have large types, so only the long run checks the types of packages. */
async function compiles(files: string[], modules: string, types = '', libs = '--target es2022 --lib es2022,dom') {
  const skipLibCheck = String(types !== '' && !LONG)
  const strict = ['--noEmit', '--strict', '--resolveJsonModule', '--skipLibCheck', skipLibCheck, '--types', types]
  const args = [...strict, ...`${libs} --module ${modules}`.split(' '), ...files]
  const { out } = await launch(args, { command: [join(root, 'node_modules/.bin/tsc')], cwd: folder }).ended
  expect(out.split('\n').slice(0, 5).join('\n')).toBe('')
}

describe.concurrent('The types', () => {
  it.each([
    'nodenext --moduleResolution nodenext',
    ...(LONG ? ['esnext --moduleResolution bundler'] : []),
  ])('compile in a project without other packages, with --module %s', modules => compiles(['index.ts'], modules))

  it('compile with the default libraries of ES2023', () => compiles(['index.ts'], 'nodenext', '', '--target es2023'))

  it('compile next to test runners, which need the types of Node', () =>
    compiles(['vitest.ts', 'vitest.config.ts', 'playwright.ts', 'playwright.config.ts'], 'nodenext', 'node'))
})
