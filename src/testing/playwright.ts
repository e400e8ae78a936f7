import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { SandboxHandle } from '../client/sandbox-handle.ts'
import type { SimulatorHandle } from '../client/simulator-handle.ts'
import type { SimulatorOptions } from '../options/options.ts'
import { describeRequests, sandboxOf, testServer } from './server.ts'

interface TestFixtures {
  sandbox: SandboxHandle
}

/** Of the configuration: `defineConfig<EdgesimOptions>({ use: { edgesimOptions: { … } } })`. */
export interface EdgesimOptions {
  /** What a worker's own simulator is started with. */
  edgesimOptions: SimulatorOptions
}

interface WorkerFixtures extends EdgesimOptions {
  edgesim: SimulatorHandle
}

/** Playwright's `test` with a sandbox of its own for every test that asks for one. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures, WorkerFixtures>({
  edgesimOptions: [{}, { option: true, scope: 'worker' }],
  edgesim: [
    async ({ edgesimOptions }, use) => {
      const server = await testServer(edgesimOptions)
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ edgesim }, use, testInfo) => {
    // The id is made of the file, the project, the titles, and which repetition it is.
    const sandbox = await sandboxOf(edgesim, testInfo.title, [testInfo.testId, testInfo.retry])
    await use(sandbox)
    if (testInfo.status !== testInfo.expectedStatus) {
      const text = await describeRequests(sandbox, edgesim)
      await testInfo.attach('edgesim requests', { body: text, contentType: 'text/plain' })
      console.error(text)
    }
    await sandbox.drop()
  },
})
