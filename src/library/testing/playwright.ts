import {
  test as base,
  expect as baseExpect,
  type Expect,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test'
import type { SimulatorOptions } from '../../simulator/options/options.ts'
import type { SandboxHandle } from '../sandbox-handle.ts'
import type { SimulatorHandle } from '../simulator-handle.ts'
import { matchers, reportFailure, sandboxOf, useServer } from './server.ts'

interface TestFixtures {
  sandbox: SandboxHandle
}

/** Set in the configuration: `defineConfig<EdgesimOptions>({ use: { edgesimOptions: { … } } })`. */
export interface EdgesimOptions {
  /** Options for the simulator that each worker starts. */
  edgesimOptions: SimulatorOptions
}

interface WorkerFixtures extends EdgesimOptions {
  edgesim: SimulatorHandle
}

/** Playwright's `test` with a fixture `sandbox`: every test that uses it gets its own sandbox. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures
> = base.extend<TestFixtures, WorkerFixtures>({
  edgesimOptions: [{}, { option: true, scope: 'worker' }],
  edgesim: [({ edgesimOptions }, use) => useServer(edgesimOptions, use), { scope: 'worker' }],
  sandbox: async ({ edgesim, edgesimOptions }, use, testInfo) => {
    // testId depends on file, project, titles and repetition.
    const sandbox = await sandboxOf(edgesim, edgesimOptions, testInfo.title, [testInfo.testId, testInfo.retry])
    await use(sandbox)
    if (testInfo.status !== testInfo.expectedStatus) {
      const text = await reportFailure(sandbox, edgesim)
      await testInfo.attach('edgesim requests', { body: text, contentType: 'text/plain' })
      console.error(text)
    }
    await sandbox.drop()
  },
})

/** Playwright's `expect` with `toHaveReceived`. */
export const expect: Expect<typeof matchers> = baseExpect.extend(matchers)
