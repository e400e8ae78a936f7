import { builtinModules } from 'node:module'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { notices } from './scripts/notices.ts'
import { slim } from './scripts/slim.ts'
import { ByProject } from './test/support/by-project.ts'

/** Tests that start processes, which `npm run test:quick` does without. */
const PROCESSES = 'test/**/*.process.test.ts'
/** Tests that look at the page in a browser. */
const PAGE = 'test/dashboard/**/*.test.ts'
/** Attacks and floods, and tests that do more in `npm run test:long`. */
const SLOW = 'test/**/*.{hostile,long}.*test.ts'
/** Some folders of tests have packages of their own, and these have tests. */
const PACKAGES = '**/node_modules/**'

/** One bundle for the command line and the library; what a plain start does not need becomes a chunk of its own. */
export default defineConfig(({ mode, command }) => ({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    // The output minifies itself, so that classes can keep their names: stack traces and `console.log` show them.
    minify: false,
    // Nobody but our own check of what is bundled reads them: they are not published.
    sourcemap: 'hidden',
    rollupOptions: {
      input: {
        index: 'src/index.ts',
        cli: 'src/cli/main.ts',
        vitest: 'src/testing/vitest.ts',
        playwright: 'src/testing/playwright.ts',
      },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
      },
      // Test runners are the user's own: a second copy of one would not know the tests of the first.
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'vitest', '@playwright/test'],
    },
  },
  // What is bundled; tests load packages as they are.
  ssr: { noExternal: command === 'build' || undefined },
  plugins: [slim(), notices()],
  test: {
    // These bound only what would never end: how quick things are is measured by `npm run bench`.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 20 } },
    // Test files share nothing but code, and loading that once is most of what can be saved.
    isolate: false,
    // Tests also wait: for processes, browsers and clocks. One worker more than cores saves 7 of 198 seconds on two.
    maxWorkers: availableParallelism() + 1,
    maxConcurrency: 3,
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/run.ts'],
    sequence: { sequencer: ByProject },
    projects: [
      {
        extends: true,
        test:
          mode === 'quick'
            ? {
                name: 'quick',
                include: ['test/**/*.test.ts'],
                exclude: [PROCESSES, PAGE, PACKAGES, SLOW],
                provide: { processes: false },
              }
            : {
                name: 'simulator',
                include: ['test/**/*.test.ts'],
                exclude: [PAGE, PACKAGES],
                globalSetup: ['test/support/packed.ts'],
                provide: { processes: true },
              },
      },
      {
        extends: true,
        // A browser is looked for only when these are run.
        test: {
          name: 'page',
          // More than two steps may wait, so that the step that got stuck is named, not the test.
          testTimeout: 120_000,
          include: [PAGE],
          globalSetup: ['test/support/browser.ts'],
          provide: { processes: false },
          server: { deps: { external: [/^(?!.*node_modules).*\/dist\//] } },
        },
      },
    ],
  },
}))
