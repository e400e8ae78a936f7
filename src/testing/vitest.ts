import { test as base } from 'vitest'
import type { SandboxHandle } from '../handle/sandbox-handle.ts'
import type { SimulatorHandle } from '../handle/simulator-handle.ts'
import { describeRequests, testServer } from './server.ts'

/** vitest's `test` with a sandbox of its own for every test that asks for one. */
export const test = base.extend<{ edgesim: SimulatorHandle; sandbox: SandboxHandle }>({
  edgesim: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures are needed off the pattern
    async ({}, use) => {
      const server = await testServer()
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
