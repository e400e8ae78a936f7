import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printReport } from './report.js'

/**
 * `npm run test:mutation [-- PATH... --sample 0.1 --seed 1 --workers 2 --share 1]`: makes small code changes, one at a
 * time, and reports changes that no test detects. A full run takes hours. Use a sample to rate the tests, or a path to
 * find gaps.
 */
const ROOMS = [
  ...['operations', 'language', 'state', 'sandbox', 'scenarios'].map(folder => `engine/${folder}`),
  ...['ngrok/access', 'ngrok/filters', 'basics/cidr.ts', 'basics/shape.ts', 'server/http/guard.ts', 'engine/token.ts'],
].map(path => `src/${path}`)

const isFolder = path => statSync(path, { throwIfNoEntry: false })?.isDirectory()
const here = dirname(fileURLToPath(import.meta.url))
process.chdir(join(here, '../..'))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Share of the mutants to test, selected by the seed. */
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    /** Share of the total test time for one mutant. Below 1, survivors may be false. */
    share: { type: 'string', default: '0.15' },
  },
})
const paths = positionals.length > 0 ? positionals : ROOMS
const missing = paths.filter(path => !existsSync(path.split(':')[0]))
if (missing.length > 0) {
  console.error(`not there: ${missing.join(', ')}`)
  process.exit(2)
}

// Not in the root packages, because only this script needs them.
if (!existsSync(join(here, 'node_modules')))
  execFileSync('npm', ['ci', '--prefix', here], { stdio: 'inherit', shell: process.platform === 'win32' })

const sandboxes = mkdtempSync(join(tmpdir(), 'edgesim-mutation-'))
process.on('exit', () => rmSync(sandboxes, { recursive: true, force: true }))
// For the test processes.
Object.assign(process.env, { MUTATION_SAMPLE: values.sample, MUTATION_SEED: values.seed, MUTATION_SHARE: values.share })
// The run of a killed mutant ends without cleanup.
for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = sandboxes

const { Stryker } = await import('@stryker-mutator/core')
const results = await new Stryker({
  mutate: paths.map(path => (isFolder(path) ? `${path.replace(/\/$/, '')}/**/*.ts` : path)),
  plugins: [join(here, 'runner.js')],
  testRunner: 'vitest-files',
  warnings: { unknownOptions: false },
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: Number(values.workers),
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
  reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only'],
  ignorePatterns: ['/test/mutation/node_modules', '/test/mutation/report'],
  tempDirName: sandboxes,
  cleanTempDir: 'always',
  // Stryker would rewrite it with an API that this TypeScript version lacks, and no test needs it.
  tsconfigFile: 'none',
}).runMutationTest()

printReport(results, join(here, 'report/survivors.txt'))
