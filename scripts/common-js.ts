import { builtinModules } from 'node:module'
import type { UserConfig } from 'vite'
import { notices } from './notices.ts'
import { slim } from './slim.ts'

type Build = NonNullable<UserConfig['build']>
type Output = NonNullable<NonNullable<Build['rollupOptions']>['output']>

/** How the command line is built as CommonJS with all that it needs, for the package and for the executable. */
export const commonJs = (input: Record<string, string>, build: Build, output: Output): UserConfig => ({
  build: {
    ssr: true,
    emptyOutDir: true,
    // The output minifies itself, so that classes can keep their names: stack traces and `console.log` show them.
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
      // yargs asks for this only with `extends` in its own configuration, which we have none of.
      transform: { define: { 'import.meta.resolve': 'undefined' } },
      external: [...builtinModules.flatMap(name => [name, `node:${name}`]), 'node:sea'],
    },
  },
  ssr: { noExternal: true },
  plugins: [slim(), notices()],
})
