import { defineConfig } from 'vitest/config'

/** `npm run test:long`: what tests do a part of in `npm test`, they do all of here. */
export default defineConfig({
  test: {
    include: ['test/**/*.{hostile,long,sampled}.*test.ts'],
    exclude: ['**/node_modules/**'],
    env: { EDGESIM_LONG: '1' },
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts', 'test/support/packed.ts', 'test/support/browser.ts'],
    provide: { processes: true },
    server: { deps: { external: [/^(?!.*node_modules).*\/dist\//] } },
    disableConsoleIntercept: true,
  },
})
