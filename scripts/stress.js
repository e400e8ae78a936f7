// npm run test:stress -- [--all] --runs N --load L: runs the tests of `npm test` (or `npm run test:all`) N times in random
// order, next to L processes that keep a CPU busy. Prints failed tests, leftovers and the duration of each run.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { failuresIn } from './test-results.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    runs: { type: 'string', default: '5' },
    load: { type: 'string', default: '0' },
  },
})
const readCount = name => {
  const number = Number(values[name])
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} must be an integer, not ${JSON.stringify(values[name])}.`)
  process.exit(2)
}
const [runs, load] = [readCount('runs'), readCount('load')]

// Each ends with this process, because its stdin closes.
const BURN = `process.stdin.on('end', () => process.exit()).resume()
  const burn = () => {
    const until = performance.now() + 50
    while (performance.now() < until) {}
    setImmediate(burn)
  }
  burn()`
const burners = Array.from({ length: load }, () =>
  spawn(process.execPath, ['-e', BURN], { stdio: ['pipe', 'ignore', 'ignore'] }),
)

let stop = () => {}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stop()
    process.exit(1)
  })

/** Orphaned simulators, and edgesim folders in the temp folder. */
function leftOver() {
  const folders = readdirSync(tmpdir()).filter(name => name.startsWith('edgesim-'))
  if (process.platform !== 'linux') return folders
  const orphans = readdirSync('/proc').filter(name => {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return command.includes('bin/edgesim.js') && /^PPid:\s+1$/m.test(readFileSync(`/proc/${name}/status`, 'utf8'))
    } catch {
      return false
    }
  })
  return [...folders, ...orphans.map(pid => `process ${pid}`)]
}

async function run(seed, results) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--reporter=json', `--outputFile=${results}`]
  const env = { ...process.env, EDGESIM_ALL: values.all ? '1' : '0', EDGESIM_ORDER: String(seed) }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  stop = () => child.kill()
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  const began = performance.now()
  const code = await new Promise(resolve => child.once('close', resolve))
  return { code, errors, seconds: Math.round((performance.now() - began) / 1000) }
}

const before = new Set(leftOver())
const folder = mkdtempSync(join(tmpdir(), 'stress-'))
const failed = new Map()
let failedRuns = 0
console.log('| run | seed | load | seconds | failed | left behind |\n|---|---|---|---|---|---|')
for (let i = 1; i <= runs; i++) {
  const seed = randomInt(1_000_000)
  const results = join(folder, `${i}.json`)
  const { code, errors, seconds } = await run(seed, results)
  const failures = failuresIn(results)
  for (const { test, why } of failures) {
    failed.set(test, [...(failed.get(test) ?? []), `seed ${seed}: ${why}`])
    console.log(test)
  }
  const left = leftOver().filter(what => !before.has(what))
  if (code !== 0 || left.length > 0) failedRuns++
  if (code !== 0 && failures.length === 0) failed.set(`run ${i}`, [`exit code ${code}: ${errors.slice(-2000)}`])
  console.log(`| ${i} | ${seed} | ${load} | ${seconds} | ${failures.length} | ${left.length} |`)
  if (left.length > 0) console.log(left.join('\n'))
}
for (const burner of burners) burner.kill()
rmSync(folder, { recursive: true })
for (const [test, reasons] of failed) console.log(`\n${test}: ${reasons.length} of ${runs}\n${reasons.join('\n')}`)
console.log(`\n${runs - failedRuns} of ${runs} runs passed.`)
process.exitCode = failedRuns > 0 ? 1 : 0
