import { relative } from 'node:path'
import { test as base, type TestAPI } from 'vitest'
import type { SandboxHandle } from '../handle/sandbox-handle.ts'
import type { SimulatorHandle } from '../handle/simulator-handle.ts'
import type { SimulatorOptions } from '../options.ts'
import { describeRequests, sandboxOf, testServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What a worker's own simulator is started with. */
    edgesimOptions?: SimulatorOptions
  }
}

interface Titled {
  name: string
  suite?: Titled
}

/** Of the suites around a test, and its own. */
const titlesOf = ({ name, suite }: Titled): string[] => [...(suite ? titlesOf(suite) : []), name]

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
    const titles = [relative(process.cwd(), file.filepath), ...titlesOf(task)]
    const { retryCount = 0, repeatCount = 0 } = result ?? {}
    const sandbox = await sandboxOf(edgesim, titles, file.projectName ?? '', retryCount, repeatCount)
    await use(sandbox)
    // biome-ignore lint/suspicious/noConsole: it is how a failed test tells what happened
    if (task.result?.state === 'fail') console.error(await describeRequests(sandbox))
    await sandbox.drop()
  },
})
