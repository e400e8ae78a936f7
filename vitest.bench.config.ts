import { defineConfig } from 'vitest/config'

/** `npm run bench:parts`: one file after the other, nothing beside it. */
export default defineConfig({
  test: {
    include: ['test/bench/*.bench.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts'],
    provide: { processes: true },
    disableConsoleIntercept: true,
    execArgv: ['--expose-gc'],
  },
})
