import { createLog } from '../log/log.ts'
import { reportUnusedRules } from '../log/summary.ts'
import { checkNames } from '../named.ts'
import { UNUSED_RULE } from '../process/exit-code.ts'
import { runProcess } from '../process/run.ts'
import { untilStopped } from '../process/signals.ts'
import type { Resolved } from '../resolve.ts'

/** Serves until a signal stops it. */
export async function start(resolved: Resolved): Promise<number> {
  checkNames(resolved)
  const { values: options } = resolved
  const log = await createLog(options.log)
  return untilStopped(async stopped => {
    const { simulator, close } = await runProcess(options, log)
    if (options.open) await openBrowser(simulator.url)
    await stopped
    const level = options.failOnUnused ? 'error' : 'warn'
    const unused = reportUnusedRules(simulator, options.failOnUnused, text => log.notice({ level, text }))
    if (!(await close())) return 1
    return options.failOnUnused && unused.length > 0 ? UNUSED_RULE : 0
  })
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the dashboard in the default browser, or prints its address if that fails. */
async function openBrowser(url: string) {
  const { default: spawn } = await import('cross-spawn')
  const [opener, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(opener!, [...args, `${url}/_sim/`], { stdio: 'ignore', detached: true })
  child.on('error', () => console.error(`edgesim: Cannot open a browser. The dashboard is at ${url}/_sim/`))
  child.unref()
}
