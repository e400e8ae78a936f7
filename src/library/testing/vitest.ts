import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { test as base, expect, type TestAPI } from 'vitest'
import type { SimulatorOptions } from '../../simulator/options/options.ts'
import type { SandboxHandle } from '../sandbox-handle.ts'
import type { SimulatorHandle } from '../simulator-handle.ts'
import type { Expectation } from '../wire-types.ts'
import { matchers, reportFailure, sandboxOf, useServer } from './server.ts'

const { version } = createRequire(import.meta.url)('vitest/package.json')
const [major, minor] = version.split('.').map(Number)
// Older versions have no worker fixtures: they would use the option list as the fixture's value.
if (major < 3 || (major === 3 && minor < 2))
  throw new Error(
    `edgesim/vitest requires vitest 3.2 or newer, got vitest ${version}. Update it (npm install --save-dev vitest@latest), or call startSimulator in your own hooks (see docs/testing.md).`,
  )

declare module 'vitest' {
  interface ProvidedContext {
    /** Options for the simulator that each worker starts. */
    edgesimOptions?: SimulatorOptions
  }
  // biome-ignore lint/suspicious/noExplicitAny: type parameters must be the same in all declarations
  interface Matchers<T = any> {
    /** Whether the sandbox received these requests. Fails with the closest ones. */
    toHaveReceived(expectation: Expectation): Promise<void>
  }
}

expect.extend(matchers)

export { expect }

interface Titled {
  name: string
  suite?: Titled & { tasks: Titled[] }
  file: { tasks: Titled[] }
}

/** The titles of the suites and the test, each with its index among siblings with the same title. */
function pathOf(task: Titled): unknown[] {
  const { name, suite, file } = task
  const alike = (suite ?? file).tasks.filter(each => each.name === name)
  return [...(suite ? pathOf(suite) : []), name, alike.indexOf(task)]
}

interface Fixtures {
  /** Options for each worker's simulator. Set them with `provide: { edgesimOptions }` in the configuration. */
  edgesimOptions: SimulatorOptions
  edgesim: SimulatorHandle
  sandbox: SandboxHandle
}

/** vitest's `test` with a fixture `sandbox`: every test that uses it gets its own sandbox. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  edgesimOptions: [{}, { injected: true, scope: 'worker' }],
  edgesim: [({ edgesimOptions }, use) => useServer(edgesimOptions, use), { scope: 'worker' }],
  sandbox: async ({ edgesim, edgesimOptions, task }, use) => {
    const { file, result } = task
    // Forward slashes: a seed gives the same ids on Windows.
    const path = relative(process.cwd(), file.filepath).replaceAll('\\', '/')
    const where = [path, file.projectName ?? '', ...pathOf(task)]
    const { retryCount = 0, repeatCount = 0 } = result ?? {}
    const sandbox = await sandboxOf(edgesim, edgesimOptions, task.name, [...where, retryCount, repeatCount])
    await use(sandbox)
    if (task.result?.state === 'fail') console.error(await reportFailure(sandbox, edgesim))
    await sandbox.drop()
  },
})
