import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'

/** One bundle for the command line and the library; what a plain start does not need becomes a chunk of its own. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: true,
    minify: 'oxc',
    rollupOptions: {
      input: { index: 'src/index.ts', cli: 'src/cli/main.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      external: builtinModules.flatMap(name => [name, `node:${name}`]),
    },
  },
  ssr: { noExternal: true },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    setupFiles: [],
  },
} as import('vite').UserConfig)
