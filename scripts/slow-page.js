// npm run test:slow-page -- FILES: runs the dashboard tests three times, each with a delay of 200 ms in navigation,
// frames or fetch (test/dashboard/page.ts). A test that fails has a race, or found one. Prints the failures by delay.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './installed.js'
import { failuresIn } from './test-results.js'

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'slow-page-'))

let stop = () => {}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    stop()
    rmSync(folder, { recursive: true, force: true })
    process.exit(1)
  })

async function run(delayed) {
  const results = join(folder, `${delayed}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${results}`]
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--project', 'dashboard', ...reporters, ...process.argv.slice(2)],
    {
      cwd: root,
      env: { ...process.env, EDGESIM_ALL: '1', EDGESIM_SLOW_PAGE: delayed },
      stdio: 'inherit',
    },
  )
  stop = () => child.kill()
  const code = await new Promise(resolve => child.once('close', resolve))
  return { delayed, code, failures: failuresIn(results) }
}

try {
  const runs = []
  for (const delayed of ['hashchange', 'frames', 'fetch']) runs.push(await run(delayed))
  for (const { delayed, failures } of runs) {
    console.log(`${delayed} 200 ms later: ${failures.length} failed`)
    for (const { test } of failures) console.log(`  ${test}`)
  }
  if (runs.some(({ code }) => code !== 0)) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
