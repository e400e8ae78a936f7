import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { test as base, type TestAPI } from 'vitest'
import type { SandboxHandle } from '../client/sandbox-handle.ts'
import type { SimulatorHandle } from '../client/simulator-handle.ts'
import type { SimulatorOptions } from '../options/options.ts'
import { describeRequests, sandboxOf, testServer } from './server.ts'

const { version } = createRequire(import.meta.url)('vitest/package.json')
const [major, minor] = version.split('.').map(Number)
// Older ones have no fixtures of a worker, and take the options in their place for values.
if (major < 3 || (major === 3 && minor < 2))
  throw new Error(
    `edgesim/vitest needs vitest 3.2 or newer, and found vitest ${version}. Update it (npm install --save-dev vitest@latest), or use startSimulator of edgesim in hooks of your own: docs/recipes.md.`,
  )

declare module 'vitest' {
  interface ProvidedContext {
    /** What a worker's own simulator is started with. */
    edgesimOptions?: SimulatorOptions
  }
}

interface Titled {
  name: string
  suite?: Titled & { tasks: Titled[] }
  file: { tasks: Titled[] }
}

/** The titles of the suites around a test, and its own; each with its place among those of the same title. */
function pathOf(task: Titled): unknown[] {
  const { name, suite, file } = task
  const alike = (suite ?? file).tasks.filter(each => each.name === name)
  return [...(suite ? pathOf(suite) : []), name, alike.indexOf(task)]
}

interface Fixtures {
  /** What a worker's own simulator is started with; `provide: { edgesimOptions }` in the configuration gives it. */
  edgesimOptions: SimulatorOptions
  edgesim: SimulatorHandle
  sandbox: SandboxHandle
}

/** vitest's `test` with a sandbox of its own for every test that asks for one. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  edgesimOptions: [{}, { injected: true, scope: 'worker' }],
  edgesim: [
    async ({ edgesimOptions }, use) => {
      const server = await testServer(edgesimOptions)
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ edgesim, task }, use) => {
    const { file, result } = task
    const where = [relative(process.cwd(), file.filepath), file.projectName ?? '', ...pathOf(task)]
    const { retryCount = 0, repeatCount = 0 } = result ?? {}
    const sandbox = await sandboxOf(edgesim, task.name, [...where, retryCount, repeatCount])
    await use(sandbox)
    if (task.result?.state === 'fail') console.error(await describeRequests(sandbox, edgesim))
    await sandbox.drop()
  },
})
