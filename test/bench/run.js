/**
 * Compares edgesim with its peers: `npm run bench`. Options: `-- --quick` (under a minute), `-- --only get,traffic` (some
 * measures), `-- --write` (update docs/contributing/performance.md), `-- --gate` (only compare CPU with the last figures).
 * All figures are ratios from one run, because absolute figures vary on a busy machine.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { passGate, processor, updateGate } from './gate.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    write: { type: 'boolean' },
    gate: { type: 'boolean' },
  },
})
const { quick = false } = values

const folder = mkdtempSync(join(tmpdir(), 'edgesim-bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
if (values.gate) process.exit(await passGate(folder))

if (!existsSync(join(here, 'node_modules'))) {
  console.log('installing the peers (once) …')
  const shell = process.platform === 'win32'
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: here, stdio: 'inherit', shell })
}

const { measures } = await import('./measures.js')
const { servers } = await import('./servers.js')
const { renderTable, writeDocuments } = await import('./report.js')

const QUICK = ['get', 'list', 'create', 'start', 'reset', 'rate']
/** `traffic` selects all names that start with it. */
function named(word) {
  const found = Object.keys(measures).filter(name => name === word || name.startsWith(`${word}-`))
  if (found.length === 0) throw new Error(`There is no measure ${word}. Known: ${Object.keys(measures).join(', ')}`)
  return found
}
const names = values.only?.split(',').flatMap(named) ?? (quick ? QUICK : Object.keys(measures))

const peers = quick
  ? ['bare node:http', 'Express 5', 'json-server 1.0 beta']
  : Object.keys(servers).filter(name => name !== 'edgesim')
const settings = { folder, quick, peers, rounds: quick ? 1 : 5, seconds: quick ? 1 : 3, starts: quick ? 3 : 9 }

const report = {
  at: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} cores, ${processor}, ${platform()}`,
  node: process.version,
  quick,
  results: {},
}
for (const name of names) {
  console.log(`measuring ${name} …`)
  report.results[name] = await measures[name](settings)
  for (const { what, value, unit, wanted, reached } of report.results[name].rows)
    console.log(`${reached ? '  ' : '! '}${what}: ${value.toFixed(2)}${unit}${wanted ? ` (${wanted})` : ''}`)
}

console.log(`\n${renderTable(report)}`)
mkdirSync(join(here, 'report'), { recursive: true })
writeFileSync(join(here, 'report/latest.json'), `${JSON.stringify(report, null, 2)}\n`)
console.log(`all figures: ${join(here, 'report/latest.json')}`)
if (values.write) writeDocuments({ ...report, gate: await updateGate(folder) })
