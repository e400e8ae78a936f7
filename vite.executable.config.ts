import { defineConfig } from 'vite'
import { commonJs } from './scripts/common-js.ts'

/** The program of the executable (`npm run build:binary`): one file, the only kind that Node takes into one. */
export default defineConfig(
  commonJs(
    { edgesim: 'src/cli/executable.ts' },
    { target: 'node24', outDir: 'build/program' },
    { codeSplitting: false },
  ),
)
