import spawn from 'cross-spawn'
import type { CliOptions } from '../../options/options.ts'
import { createLog, type Log } from '../log/log.ts'
import { reportUnusedRules } from '../log/summary.ts'
import { checkNames } from '../named.ts'
import { exitCodeFor, UNUSED_RULE } from '../process/exit-code.ts'
import { type Running, runProcess } from '../process/run.ts'
import { untilStopped } from '../process/signals.ts'
import type { Resolved } from '../resolve.ts'

/** Serves until it is told to stop. */
export async function start(resolved: Resolved): Promise<number> {
  checkNames(resolved)
  const log = await createLog(resolved.values.log!)
  return untilStopped(stopped => serve(resolved.values, log, stopped))
}

/** `stopped` resolves to the exit code of a clean stop. */
async function serve(options: CliOptions, log: Log, stopped: Promise<number>): Promise<number> {
  let running: Running
  try {
    running = await runProcess(options, log)
  } catch (error) {
    return exitCodeFor(error)
  }
  const { simulator } = running
  if (options.open) openBrowser(simulator.url)
  const exit = await stopped
  const level = options.failOnUnused ? 'error' : 'warn'
  const unused = reportUnusedRules(simulator, options.failOnUnused, text => log.onNotice({ level, text }))
  if (!(await running.close())) return 1
  return options.failOnUnused && unused.length > 0 ? UNUSED_RULE : exit
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the page in the default browser; if that fails, prints its address. */
function openBrowser(url: string) {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program!, [...args, `${url}/_sim/`], { stdio: 'ignore', detached: true })
  child.on('error', () => console.error(`edgesim: cannot open a browser. The page is at ${url}/_sim/`))
  child.unref()
}
