import { setFlagsFromString } from 'node:v8'
import { type CliOptions, forSimulator } from '../../options/options.ts'
import { shown } from '../../options/shown.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import { runSimulator } from '../../simulator/simulator.ts'
import type { Log } from '../log/lines.ts'
import { watchFiles } from './watch.ts'

/** Runs the simulator of this process, for `start`, `exec` and `mcp` alike, until the ready line is printed. */
export async function runProcess(options: CliOptions, log: Log, onEvent?: (event: SandboxEvent) => void) {
  tuneCollections()
  const simulator = await runSimulator(forSimulator(options), {
    onNotice: log.notice,
    onEvent(event) {
      log.event(event)
      onEvent?.(event)
    },
  }).catch(error => {
    // The notices of the start come before the error.
    log.flush()
    throw error
  })
  // Uncaught errors are defects of ours. The server goes on: one bad request must not cost everybody their records.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) =>
      log.notice({
        level: 'error',
        text: `this is a defect of edgesim, please report it: ${(error as Error)?.stack ?? error}`,
      }),
    )
  const stopWatching = options.watch ? watchFiles(simulator, log) : undefined
  log.ready(simulator, {
    fixture: String(shown('fixture', options.fixture)),
    scenario: (options.scenario as string | undefined) ?? null,
    vendor: options.vendor!,
    certificate: simulator.environment.certificateFile,
  })
  return {
    simulator,
    /** The last line says what is stored. False when it could not be stored. */
    async close(): Promise<boolean> {
      stopWatching?.()
      const failure = await simulator.close().catch((error: Error) => error)
      if (failure) log.notice({ level: 'error', text: failure.message })
      log.stopped(failure ? undefined : simulator.stored())
      log.flush()
      return !failure
    },
  }
}

/** The newest Node that the flags were tried with: Node prints an error for a flag that it does not know. */
const NEWEST_NODE = 24

/**
 * By default V8 lets the heap grow to several times its live size before a full collection: thousands of sandboxes would
 * take 600 MB, of which 200 are alive. More frequent collections run beside requests and do not slow them down. The
 * small collections move what the journals keep, about 2 MB; to share that between threads costs a GET 6 µs of CPU.
 */
function tuneCollections() {
  if (Number.parseInt(process.versions.node, 10) > NEWEST_NODE) return
  for (const flag of ['--heap-growing-percent=30', '--no-parallel-scavenge']) setFlagsFromString(flag)
}
