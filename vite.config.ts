import { builtinModules } from 'node:module'
import { defineConfig } from 'vitest/config'
import { notices } from './scripts/notices.ts'
import { slim } from './scripts/slim.ts'

/** One bundle for the command line and the library; what a plain start does not need becomes a chunk of its own. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: 'oxc',
    rollupOptions: {
      input: {
        index: 'src/index.ts',
        cli: 'src/cli/main.ts',
        vitest: 'src/testing/vitest.ts',
        playwright: 'src/testing/playwright.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      // Test runners are the user's own: a second copy of one would not know the tests of the first.
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'vitest', '@playwright/test'],
    },
  },
  ssr: { noExternal: true },
  plugins: [slim(), notices()],
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Test files share nothing but code, and loading that once is most of what can be saved.
    isolate: false,
    // The page's tests need a browser, which is looked for only when they are run.
    projects: [
      {
        extends: true,
        test: { name: 'simulator', include: ['test/**/*.test.ts'], exclude: ['test/dashboard/**'] },
      },
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: ['test/dashboard/**/*.test.ts'],
          globalSetup: ['test/support/browser.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
})
