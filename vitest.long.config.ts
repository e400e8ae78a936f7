import { defineConfig } from 'vitest/config'
import { longTests, sampledTests } from './test/support/long-tests.ts'

/** `npm run test:long`: what tests do a part of in `npm test`, they do all of here. */
export default defineConfig({
  test: {
    include: [...new Set([...longTests(), ...sampledTests()])],
    env: { EDGESIM_LONG: '1' },
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts', 'test/support/packed.ts', 'test/support/browser.ts'],
    provide: { processes: true },
    server: { deps: { external: [/^(?!.*node_modules).*\/dist\//] } },
    disableConsoleIntercept: true,
  },
})
