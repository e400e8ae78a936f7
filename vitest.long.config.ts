import { defineConfig } from 'vitest/config'

/** `npm run test:long`: what the store's tests do a little of in `npm test`, they do a lot of here. */
export default defineConfig({
  test: {
    include: ['test/store/*.test.ts'],
    env: { EDGESIM_LONG: '1' },
    fileParallelism: false,
    hookTimeout: 60_000,
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts'],
    provide: { processes: true },
    disableConsoleIntercept: true,
  },
})
