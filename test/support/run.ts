import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Shared by all Vitest projects. Each calls `setup`. */
const shared = globalThis as { edgesimTestRun?: { projects: number; sweeper: ChildProcess } }

/** Each run has its own temp folder, to find leftovers. */
export default function setup() {
  shared.edgesimTestRun ??= { projects: 0, sweeper: begin() }
  const run = shared.edgesimTestRun
  run.projects++
  return () => (--run.projects === 0 ? end(run.sweeper) : undefined)
}

function begin(): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'edgesim-run-'))
  const script = fileURLToPath(new URL('sweep.js', import.meta.url))
  // In its own process group, because Ctrl-C in a terminal must not end it.
  const sweeper = spawn(process.execPath, [script, folder, String(process.pid)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  return sweeper
}

async function end(sweeper: ChildProcess) {
  sweeper.stdin!.end()
  const left: string[] = JSON.parse(await text(sweeper.stdout!))
  if (left.length === 0) return
  process.exitCode = 1
  throw new Error(`The tests left behind:\n${left.map(what => `  ${what}`).join('\n')}`)
}
