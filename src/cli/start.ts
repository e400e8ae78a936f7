import { existsSync } from 'node:fs'
import { FileError } from '../files/document.ts'
import { nearest } from '../files/nearest.ts'
import { PortInUse } from '../http-server.ts'
import type { SimulatorOptions } from '../options.ts'
import { type Simulator, startSimulator } from '../simulator.ts'
import { DamagedFile, FileInUse } from '../store/index.ts'
import { createLog } from './log.ts'
import { type Resolved, UsageError } from './settings.ts'

const COMMANDS = ['start', 'validate', 'assumptions', 'openapi']

/** Serves until it is told to stop. */
export async function start({ values }: Resolved, fixture: string | undefined): Promise<number> {
  if (fixture !== undefined && !existsSync(fixture)) {
    const close = nearest(fixture, COMMANDS)
    throw new UsageError(
      `there is no file ${fixture}${close ? `; did you mean the command "${close}"?` : '. Give a fixture, or none for the default one.'}`,
    )
  }
  const log = createLog(values.log as 'pretty')
  const options = { ...values, fixture } as SimulatorOptions
  let simulator: Simulator
  try {
    simulator = await startSimulator(options, log)
  } catch (error) {
    return refuse(error, options)
  }
  log.ready(simulator, { fixture: fixture ?? 'default', vendor: options.vendor! })
  return new Promise(resolve => {
    let first = 0
    const stop = () => {
      // npm passes on a Ctrl-C that the terminal has sent already: the second within a second is the same one.
      if (first && Date.now() - first > 1000) return resolve(1)
      if (first) return
      first = Date.now()
      simulator.close().then(
        () => resolve(0),
        error => {
          log.onNotice({ level: 'error', text: error.message })
          resolve(1)
        },
      )
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}

/** What the user can mend is said plainly; anything else is a defect and keeps its stack. */
function refuse(error: unknown, options: SimulatorOptions): number {
  if (error instanceof FileError) {
    console.error(error.message)
    return 2
  }
  const { message, code } = error as NodeJS.ErrnoException
  if (error instanceof PortInUse || error instanceof FileInUse) console.error(`edgesim: ${message}`)
  else if (error instanceof DamagedFile)
    console.error(
      `edgesim: ${message}.\nNothing was changed. \`edgesim repair ${options.db}\` saves what can be saved; --fresh starts over.`,
    )
  else if (code === 'EACCES' || code === 'ENOENT' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EISDIR')
    console.error(`edgesim: ${message}. Give a --db FILE in a folder that exists and can be written to.`)
  else throw error
  return 1
}
