import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launch, root } from '../support/cli.ts'
import { projectWith, write } from '../support/package.ts'

const folder = await projectWith(['vitest', '@playwright/test', '@types/node'])

write(folder, {
  'index.ts': `
    import { ControlError, connect, startSimulator, VerifyError } from 'edgesim'
    import type { ConnectOptions, Difference, Expectation, JournalEntry, Miss, Pattern, RequestFilter } from 'edgesim'
    import type { SandboxHandle, SimulatorHandle, SimulatorOptions, State } from 'edgesim'

    const options: SimulatorOptions = { port: 0, fixture: { users: [] }, assume: { missing_version: 'accept' } }
    // @ts-expect-error: there is no such option
    const misspelt: SimulatorOptions = { prot: 0 }
    // @ts-expect-error: there is no such assumption
    const unknown: SimulatorOptions = { assume: { page_oder: 'x' } }

    const sim: SimulatorHandle = await startSimulator(options)
    const box: SandboxHandle = await sim.sandbox('a')
    const filter: RequestFilter = { status: '4xx', limit: 3 }
    const entries: JournalEntry[] = await box.requests(filter)
    const why: string | undefined = entries[0]?.explanation?.text
    const pattern: Pattern = { operation: 'create_api_key', where: { 'body.description': 'x' } }
    const expectation: Expectation = { ...pattern, count: 1 }
    const ids: string[] = await box.verify(expectation)
    const state: State = await box.state()
    await box.clock.freeze(new Date())
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
    }`,
  'vitest.ts': `
    import { test } from 'edgesim/vitest'
    test('types', async ({ sandbox, edgesim }) => {
      const text: string = sandbox.token + edgesim.url
      // @ts-expect-error: there is no such fixture
      ;({}) as Parameters<Parameters<typeof test>[1] & {}>[0]['sandbx']
    })`,
  'playwright.ts': `
    import { test } from 'edgesim/playwright'
    test('types', async ({ sandbox, edgesim, request }) => {
      const text: string = sandbox.token + edgesim.url
      await request.get(text)
    })
    test.use({ edgesimOptions: { fixture: 'empty' } })`,
})

const STRICT = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022']
const LIBS = ['--lib', 'es2022,esnext.disposable,dom']

async function compiles(files: string[], module: string, resolution: string, types: string) {
  const args = [...STRICT, ...LIBS, '--types', types, '--module', module, '--moduleResolution', resolution, ...files]
  const { out } = await launch(args, { command: [join(root, 'node_modules/.bin/tsc')], cwd: folder }).ended
  expect(out.split('\n').slice(0, 5).join('\n')).toBe('')
}

describe.concurrent('The types', () => {
  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('compile in a project without any other package, module %s, resolution %s', (module, resolution) =>
    compiles(['index.ts'], module, resolution, ''))

  it('compile beside test runners, which want those of Node', () =>
    compiles(['vitest.ts', 'playwright.ts'], 'nodenext', 'nodenext', 'node'))
})
