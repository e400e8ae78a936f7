import { builtinModules } from 'node:module'
import type { UserConfig } from 'vite'
import { notices } from './notices.ts'
import { slim } from './slim.ts'

type Build = NonNullable<UserConfig['build']>
type Output = NonNullable<NonNullable<Build['rollupOptions']>['output']>

/** Bundles the CLI as CommonJS with its dependencies, for the package and the executable. */
export const commonJs = (input: Record<string, string>, build: Build, output: Output): UserConfig => ({
  build: {
    ssr: true,
    emptyOutDir: true,
    // Minified here to preserve class names, which stack traces and `console.log` show.
    minify: false,
    ...build,
    rollupOptions: {
      input,
      output: {
        format: 'cjs',
        entryFileNames: '[name].cjs',
        minify: { compress: true, mangle: { keepNames: { class: true, function: false } }, codegen: true },
        ...output,
      },
      // yargs loads it only for `extends` in its configuration, which edgesim does not use.
      transform: { define: { 'import.meta.resolve': 'undefined' } },
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'node:sea'],
    },
  },
  ssr: { noExternal: true },
  plugins: [slim(), notices()],
})
