import { defineConfig } from 'vitest/config'
import { FastFirst } from './fast-first.ts'

export default defineConfig({
  cacheDir: '.vite',
  test: {
    include: [
      'test/{basics,contract,control,engine,server}/**/*.test.ts',
      'test/ngrok/{*,access/*,filters/*,events/deliveries,resources/*}.test.ts',
    ],
    exclude: [
      'test/**/*.process.test.ts',
      // They read source code, which contains the mutants, or other tests, or the build.
      'test/contract/{docs-links,generated,layers,reliability,standalone}.test.ts',
      'test/control/docs.test.ts',
    ],
    env: { EDGESIM_ALL: '1' },
    setupFiles: ['test/mutation/setup.ts'],
    provide: { processes: false },
    sequence: { sequencer: FastFirst },
    isolate: false,
    fileParallelism: false,
    // Stops hanging mutants early.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    expect: { poll: { timeout: 5_000, interval: 20 } },
  },
})
