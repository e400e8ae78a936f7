import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nearest } from '../files/nearest.ts'
import type { SimulatorOptions } from '../options.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { createLog } from './log.ts'
import { refuse } from './refusal.ts'
import { type Resolved, UsageError } from './settings.ts'
import { watchSignals } from './signals.ts'

export const COMMANDS = ['start', 'validate', 'repair', 'assumptions', 'openapi']

/** Serves until it is told to stop. */
export async function start({ values }: Resolved, fixture: string | undefined): Promise<number> {
  if (fixture !== undefined && !existsSync(fixture)) throw new UsageError(noSuchFile(fixture))
  const options = { ...values, fixture } as SimulatorOptions
  const log = createLog(values.log as 'pretty')
  return new Promise((resolve, reject) => {
    const stopped = new Promise<void>(stop => {
      watchSignals({ stop, giveUp: () => resolve(1) })
    })
    serve(options, log, stopped).then(resolve, reject)
  })
}

async function serve(options: SimulatorOptions, log: ReturnType<typeof createLog>, stopped: Promise<void>) {
  let simulator: Simulator
  try {
    simulator = await startSimulator(options, log)
  } catch (error) {
    log.flush()
    return refuse(error, options)
  }
  log.ready(simulator, { fixture: (options.fixture as string) ?? 'default', vendor: options.vendor! })
  await stopped
  try {
    await simulator.close()
    return 0
  } catch (error) {
    log.onNotice({ level: 'error', text: (error as Error).message })
    return 1
  }
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
