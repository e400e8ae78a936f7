import { defineConfig } from 'vitest/config'

/** Tests of the package, its library, its docs and of programs that run in a certain Node. */
const NOT_OF_THE_EXECUTABLE = [
  'test/contract/**',
  'test/library/testing/**',
  'test/clients/**',
  'test/cli/{init.long,pack}.process.test.ts',
]

/** `npm run test:binary`: tests that start processes, on the executable. */
export default defineConfig({
  test: {
    include: ['test/**/*.process.test.ts'],
    exclude: [...NOT_OF_THE_EXECUTABLE, 'test/**/*.{hostile,long}.*', '**/node_modules/**'],
    env: { EDGESIM_ALL: '1', EDGESIM_BINARY: `build/edgesim${process.platform === 'win32' ? '.exe' : ''}` },
    isolate: false,
    maxConcurrency: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts', 'test/support/packed.ts'],
    provide: { processes: true },
  },
})
