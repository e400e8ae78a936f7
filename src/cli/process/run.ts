import { setFlagsFromString } from 'node:v8'
import type { SandboxEvent } from '../../engine/sandbox/index.ts'
import { type CliOptions, forSimulator } from '../../simulator/options/options.ts'
import { shown } from '../../simulator/options/shown.ts'
import { runSimulator } from '../../simulator/simulator.ts'
import type { Log } from '../log/lines.ts'
import { watchFiles } from './watch.ts'

/** Starts the simulator for `start`, `exec` and `mcp`, and prints the ready line. */
export async function runProcess(options: CliOptions, log: Log, onEvent?: (event: SandboxEvent) => void) {
  tuneGarbageCollector()
  const simulator = await runSimulator(forSimulator(options), {
    onNotice: log.notice,
    onEvent(event) {
      log.event(event)
      onEvent?.(event)
    },
  }).catch(error => {
    // Print the startup notices before the error.
    log.flush()
    throw error
  })
  // Uncaught errors are bugs. The server continues: one bad request must not affect all clients.
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (error: unknown) =>
      log.notice({
        level: 'error',
        text: `Internal error. Please report it: ${(error as Error)?.stack ?? error}`,
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
    /** Prints the stored state's size. Returns false if storing failed. */
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

/** The newest Node that supports the flags: Node prints an error for an unknown flag. */
const NEWEST_NODE = 24

/**
 * By default V8 lets the heap grow to several times its live size before a full collection: thousands of sandboxes would
 * take 600 MB with 200 MB alive. More frequent collections run concurrently and do not slow down requests. Small
 * collections move the journal entries, about 2 MB; doing this in parallel threads costs a GET 6 µs of CPU.
 */
function tuneGarbageCollector() {
  if (Number.parseInt(process.versions.node, 10) > NEWEST_NODE) return
  for (const flag of ['--heap-growing-percent=30', '--no-parallel-scavenge']) setFlagsFromString(flag)
}
