import { setFlagsFromString } from 'node:v8'
import { type CliOptions, forSimulator } from '../../options/options.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import { runSimulator } from '../../simulator/simulator.ts'
import type { Log } from '../log/log.ts'
import { keepCertificate } from './certificate-file.ts'
import { watchFiles } from './watch.ts'

export type Running = Awaited<ReturnType<typeof runProcess>>

/** Runs the simulator of this process, for `start`, `exec` and `mcp` alike, until the ready line is printed. */
export async function runProcess(
  options: CliOptions,
  log: Log,
  { onEvent }: { onEvent?(event: SandboxEvent): void } = {},
) {
  limitHeapGrowth()
  const simulator = await runSimulator(forSimulator(options), {
    onNotice: log.onNotice,
    onEvent(event) {
      log.onEvent(event)
      onEvent?.(event)
    },
  }).catch(error => {
    // The notices of the start come before the error.
    log.flush()
    throw error
  })
  watchDefects(log)
  const stopWatching = options.watch ? watchFiles(simulator, log) : undefined
  const certificate = keepCertificate(simulator.certificate, options.tlsDir)
  log.ready(simulator, options, certificate?.file)
  return {
    simulator,
    certificate,
    /** False when the state could not be stored. */
    async close(): Promise<boolean> {
      stopWatching?.()
      certificate?.remove()
      return log.close(simulator)
    },
  }
}

/** The newest Node that the flag was tried with: Node prints an error for a flag that it does not know. */
const NEWEST_NODE = 24
const HEAP_GROWTH_PERCENT = 30

/**
 * By default V8 lets the heap grow to several times its live size before a full collection: thousands of sandboxes would
 * take 600 MB, of which 200 are alive. More frequent collections run beside requests and do not slow them down.
 */
function limitHeapGrowth() {
  if (Number.parseInt(process.versions.node, 10) <= NEWEST_NODE)
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
}

/**
 * Uncaught errors are defects of ours. They are logged and the server goes on, so that one bad request does not cost
 * everybody their records. No change is half made then: a state never changes, and a change puts another in its place.
 */
function watchDefects(log: Log) {
  const onDefect = (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.onNotice({ level: 'error', text: `this is a defect of edgesim, please report it: ${text}` })
  }
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, onDefect)
}
