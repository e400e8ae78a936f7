import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../files/nearest.ts'
import type { SimulatorOptions } from '../options.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { createLog, type Log, type LogKind } from './log.ts'
import { openPage } from './open.ts'
import { refuse } from './refusal.ts'
import { COMMANDS } from './commands.ts'
import type { Resolved } from './resolve.ts'
import { UsageError } from './settings.ts'
import { watchSignals } from './signals.ts'
import { UNUSED, warnOfUnused } from './unused.ts'
import { watchFile } from './watch.ts'

type StartOptions = SimulatorOptions & { open?: boolean; watch?: boolean }

/** Serves until it is told to stop. */
export async function start({ values }: Resolved, fixture: string | undefined): Promise<number> {
  if (fixture !== undefined && !existsSync(fixture)) throw new UsageError(noSuchFile(fixture))
  const options = { ...values, fixture } as StartOptions
  const log = await createLog(values.log as LogKind)
  return new Promise((resolve, reject) => {
    const stopped = new Promise<void>(stop => {
      watchSignals({ stop, giveUp: () => resolve(1) })
    })
    serve(options, log, stopped, values.failOnUnused === true).then(resolve, reject)
  })
}

async function serve(options: StartOptions, log: Log, stopped: Promise<void>, failOnUnused: boolean) {
  let simulator: Simulator
  try {
    simulator = await startSimulator(options, log)
  } catch (error) {
    log.flush()
    return refuse(error, options)
  }
  const { fixture = 'default', scenario, vendor } = options as Record<string, string>
  log.ready(simulator, { fixture, scenario: scenario ?? null, vendor: vendor! })
  if (options.open) openPage(simulator.url)
  const watchers = options.watch ? watchFiles(simulator, options, log) : []
  await stopped
  for (const stopWatching of watchers) stopWatching()
  const unused = warnOfUnused(simulator)
  try {
    await simulator.close()
    return failOnUnused && unused.length > 0 ? UNUSED : 0
  } catch (error) {
    log.onNotice({ level: 'error', text: (error as Error).message })
    return 1
  }
}

/** A changed file is taken up without a restart; one that does not fit leaves everything as it was, and says why. */
function watchFiles(simulator: Simulator, options: StartOptions, log: Log): (() => void)[] {
  return (['fixture', 'scenario'] as const).flatMap(what => {
    const file = options[what]
    if (typeof file !== 'string' || !existsSync(file)) return []
    const reload = () =>
      simulator.reload(what).then(
        () => log.onNotice({ level: 'info', text: `${file} has changed and was taken up` }),
        error => log.onNotice({ level: 'error', text: `${file} has changed but was not taken up:\n${error.message}` }),
      )
    return [watchFile(file, reload)]
  })
}

/** What is not a command is taken for a fixture, so either may have been meant. */
function noSuchFile(given: string): string {
  const command = nearest(given, COMMANDS)
  if (command) return `there is no command "${given}", and no such file. Did you mean "edgesim ${command}"?`
  const file = nearest(basename(given), filesIn(dirname(given)))
  if (file) return `there is no file ${given}. Did you mean ${join(dirname(given), file)}?`
  return `there is no command "${given}", and no such file. Commands are ${COMMANDS.join(', ')}; anything else names a fixture.`
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /\.(json|ya?ml)$/i.test(name))
  } catch {
    return []
  }
}
