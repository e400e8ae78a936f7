import { defineConfig } from 'vitest/config'
import { FastFirst } from './fast-first.ts'

/** The tests that are run for the mutants. */
export default defineConfig({
  cacheDir: '.vite',
  test: {
    include: ['test/{api,basics,contract,control,http,ip,sandbox,sandboxes,scenarios,schema,state,store}/**/*.test.ts'],
    exclude: [
      'test/**/*.process.test.ts',
      // They read the text of the code, into which the mutants are written, or other tests, or what is built.
      'test/contract/{docs-links,generated,layers,reliability,standalone}.test.ts',
      'test/control/docs.test.ts',
    ],
    env: { EDGESIM_ALL: '1' },
    setupFiles: ['test/mutation/setup.ts'],
    provide: { processes: false },
    sequence: { sequencer: FastFirst },
    isolate: false,
    fileParallelism: false,
    // A mutant that never answers should be noticed soon.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    expect: { poll: { timeout: 5_000, interval: 20 } },
  },
})
