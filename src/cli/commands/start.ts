import { type CliOptions, forSimulator } from '../../options/options.ts'
import { runSimulator } from '../../simulator/simulator.ts'
import type { Simulator } from '../../simulator/types.ts'
import { createLog, type Log } from '../log/log.ts'
import { tellUnused, UNUSED } from '../log/unused.ts'
import { checkNames } from '../named.ts'
import { keepCertificate } from '../process/certificate-file.ts'
import { watchDefects } from '../process/last-resort.ts'
import { openBrowser } from '../process/open-browser.ts'
import { refuse } from '../process/refusal.ts'
import { untilStopped } from '../process/signals.ts'
import { keepHeapSmall } from '../process/small-heap.ts'
import { watchFiles } from '../process/watch.ts'
import type { Resolved } from '../resolve.ts'

/** Serves until it is told to stop. */
export async function start(resolved: Resolved): Promise<number> {
  checkNames(resolved)
  const options = resolved.values
  keepHeapSmall()
  const log = await createLog(options.log!)
  return untilStopped((stopped, stop) => serve(options, log, stopped, () => stop(1)))
}

/** `stopped` resolves to the exit code, unless there is another; `fail` makes it stop with 1. */
async function serve(options: CliOptions, log: Log, stopped: Promise<number>, fail: () => void): Promise<number> {
  let simulator: Simulator
  try {
    simulator = await runSimulator(forSimulator(options), log)
  } catch (error) {
    log.flush()
    return refuse(error)
  }
  watchDefects(simulator, log, fail)
  const stopWatching = options.watch ? watchFiles(simulator, log) : undefined
  const certificate = keepCertificate(simulator.certificate, options.tlsDir)
  log.ready(simulator, options, certificate?.file)
  if (options.open) openBrowser(simulator.url)
  const exit = await stopped
  stopWatching?.()
  certificate?.remove()
  const level = options.failOnUnused ? 'error' : 'warn'
  const unused = tellUnused(simulator, options.failOnUnused, text => log.onNotice({ level, text }))
  if (!(await log.close(simulator))) return 1
  return options.failOnUnused && unused.length > 0 ? UNUSED : exit
}
