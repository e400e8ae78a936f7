import { test as base } from '@playwright/test'
import type { SandboxHandle } from '../handle/sandbox-handle.ts'
import type { SimulatorHandle } from '../handle/simulator-handle.ts'
import { describeRequests, testServer } from './server.ts'

/** Playwright's `test` with a sandbox of its own for every test that asks for one. */
export const test = base.extend<{ sandbox: SandboxHandle }, { edgesim: SimulatorHandle }>({
  edgesim: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed off the pattern
    async ({}, use) => {
      const server = await testServer()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ edgesim }, use, testInfo) => {
    const sandbox = await edgesim.sandbox()
    await use(sandbox)
    if (testInfo.status !== testInfo.expectedStatus) {
      const text = await describeRequests(sandbox)
      await testInfo.attach('edgesim requests', { body: text, contentType: 'text/plain' })
      // biome-ignore lint/suspicious/noConsole: it is how a failed test tells what happened
      console.error(text)
    }
    await sandbox.drop()
  },
})
