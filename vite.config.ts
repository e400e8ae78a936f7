import { builtinModules } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { SlowestFiles } from './test/support/slowest-files.ts'

/** Tests that start processes. */
const PROCESSES = 'test/**/*.process.test.ts'
/** Tests that look at the dashboard in a browser, but for those of its pure code. */
const DASHBOARD = 'test/dashboard/**/!(*.node).test.ts'
/** Attacks and floods, what does more in `npm run test:long`, and what only `npm run test:all` runs. */
const SLOW = 'test/**/*.{hostile,long,all}.*test.ts'
/** Some folders of tests have packages of their own, and these have tests. */
const PACKAGES = '**/node_modules/**'

const leftOut = process.env.EDGESIM_ALL === '1' ? [PACKAGES] : [PACKAGES, SLOW]
const cores = availableParallelism()

/** `npm run test:stress` names an order. Options of the command line would replace the order of the groups too. */
const { EDGESIM_ORDER } = process.env
const order = EDGESIM_ORDER ? { shuffle: true, seed: Number(EDGESIM_ORDER) } : {}

/** What others import: small modules around the CommonJS of vite.program.config.ts, which has everything else. */
const modules = {
  index: 'src/index.ts',
  vitest: 'src/library/testing/vitest.ts',
  playwright: 'src/library/testing/playwright.ts',
}

/** What a module imports of ours is in the CommonJS file of the same entry. */
const commonJs: Plugin = {
  name: 'common-js',
  enforce: 'pre',
  apply: 'build',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined
    const name = importer.endsWith(modules.index) ? 'index' : 'testing'
    return { id: `./program/${name}.cjs`, external: true }
  },
}

export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    rollupOptions: {
      input: modules,
      output: { entryFileNames: '[name].js' },
      // Test runners are the user's own: a second copy of one would not know the tests of the first.
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'vitest', '@playwright/test'],
    },
  },
  plugins: [commonJs],
  test: {
    // These bound only what would never end, also on a starved machine: `npm run bench` measures how quick things are.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // Test files share nothing but code, and loading that once is most of what can be saved.
    isolate: false,
    maxConcurrency: 3,
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts'],
    reporters: ['default', new SlowestFiles()],
    sequence: order,
    // One group after the other, so that none has to share the cores with another.
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: [PROCESSES, DASHBOARD, ...leftOut],
          provide: { processes: false },
          maxWorkers: cores,
          sequence: { ...order, groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: [PROCESSES],
          exclude: leftOut,
          globalSetup: ['test/support/packed.ts'],
          provide: { processes: true },
          maxWorkers: cores,
          sequence: { ...order, groupOrder: 1 },
        },
      },
      {
        extends: true,
        // A browser is looked for only when these are run.
        test: {
          name: 'dashboard',
          // More than two steps may wait, so that the step that got stuck is named, not the test.
          testTimeout: 600_000,
          include: [DASHBOARD],
          exclude: leftOut,
          globalSetup: ['test/support/browser.ts'],
          provide: { processes: false },
          server: { deps: { external: [/^(?!.*node_modules).*\/dist\//] } },
          maxWorkers: cores,
          sequence: { ...order, groupOrder: 2 },
        },
      },
    ],
  },
})
