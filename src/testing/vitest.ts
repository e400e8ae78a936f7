import { test as base, type TestAPI } from 'vitest'
import type { SandboxHandle } from '../handle/sandbox-handle.ts'
import type { SimulatorHandle } from '../handle/simulator-handle.ts'
import type { SimulatorOptions } from '../options.ts'
import { describeRequests, testServer } from './server.ts'

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
    const sandbox = await edgesim.sandbox()
    await use(sandbox)
    // biome-ignore lint/suspicious/noConsole: it is how a failed test tells what happened
    if (task.result?.state === 'fail') console.error(await describeRequests(sandbox))
    await sandbox.drop()
  },
})
