// node scripts/test.js [--all] [ARGUMENTS...]: checks types and lint, builds, runs the tests and prints the CPU cost. --all
// also checks for unused code, runs the tests that `npm test` omits, and compares the CPU per request with the stored
// figures. ARGUMENTS are passed to vitest.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import spawn from 'cross-spawn'
import { root } from './installed.js'

const CHECKS = ['lint', 'typecheck -- --checkers 1', 'build']

/** Runs a command to its end. Its output goes to `print` or the terminal. */
const run = (program, args, { print, env = {} } = {}) =>
  new Promise((resolve, reject) => {
    const output = print ? 'pipe' : 'inherit'
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: [print ? 'ignore' : 'inherit', output, output],
    })
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print)
    child.once('error', reject).once('close', code => resolve(code ?? 1))
  })

/** Runs an npm script, and prints its output at the end if it fails, because others run in parallel. */
async function check(script) {
  let printed = ''
  const code = await run('npm', ['run', '--silent', ...script.split(' ')], {
    print: text => {
      printed += text
    },
  })
  console.log(code === 0 ? `✓ ${script}` : `✗ ${script}: failed (${code})\n${printed}`)
  return code
}

/** CPU seconds of this process and all ended children. Linux only. */
function cpuSeconds() {
  if (process.platform !== 'linux') return undefined
  const ticks = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(11, 15)
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100
}

const all = process.argv[2] === '--all'
const folder = mkdtempSync(join(tmpdir(), 'edgesim-test-cost-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// Ctrl-C also reaches vitest, which ends its tests. This process waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {})

const began = performance.now()
const codes = await Promise.all([...CHECKS, ...(all ? ['unused'] : [])].map(check))
let code = codes.find(each => each !== 0) ?? 0
const checks = cpuSeconds()
if (code === 0) {
  // Browser processes are not children, so test/support/browser.ts writes their CPU time.
  const browser = join(folder, 'browser')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  code = await run(process.execPath, [vitest, 'run', ...process.argv.slice(all ? 3 : 2)], {
    env: { EDGESIM_BROWSER_COST: browser, ...(all ? { EDGESIM_ALL: '1' } : {}) },
  })
  const seconds = Math.round((performance.now() - began) / 1000)
  if (checks === undefined) console.log(`${seconds} s.`)
  else {
    let chromium = 0
    try {
      chromium = Number(readFileSync(browser, 'utf8'))
    } catch {
      // No browser ran.
    }
    const tests = cpuSeconds() - checks + chromium
    const parts = `checks and build ${Math.round(checks)}, tests ${Math.round(tests)}`
    console.log(`${Math.round(checks + tests)} s of CPU (${parts}) in ${seconds} s.`)
  }
}
if (code === 0 && all) code = await run(process.execPath, [join(root, 'test/bench/run.js'), '--gate'])
process.exitCode = code
