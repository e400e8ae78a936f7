import { builtinModules } from 'node:module'
import { defineConfig } from 'vite'
import { notices } from './scripts/notices.ts'
import { slim } from './scripts/slim.ts'

/** The program of the executable (`npm run build:binary`): one CommonJS file, the only kind that Node takes into one. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'build/program',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      input: { edgesim: 'src/cli/executable.ts' },
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        codeSplitting: false,
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
      },
      // yargs asks for this only with `extends` in its own configuration, which we have none of.
      transform: { define: { 'import.meta.resolve': 'undefined' } },
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'node:sea'],
    },
  },
  ssr: { noExternal: true },
  plugins: [slim(), notices()],
})
