import { constants } from 'node:os'

/** npm repeats the terminal's Ctrl-C: a second signal within this time is the same one. */
const REPEAT_MS = 1000

/** SIGBREAK is Ctrl-Break on Windows, the only way for a process there to end another one gracefully. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

/**
 * By default, signals do not end process 1, such as in a container. It exits here while nothing else handles the signal:
 * while it is loading, and in commands without a signal handler.
 */
export function endOnSignals() {
  if (process.pid !== 1) return
  const end = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
}

/** Runs until a signal or `stop`, which resolve `stopped`. A second signal ends the process immediately. */
export function untilStopped(run: (stopped: Promise<void>, stop: () => void) => Promise<number>): Promise<number> {
  return new Promise((resolve, reject) => {
    let stop!: () => void
    const stopped = new Promise<void>(resolve => {
      stop = resolve
    })
    watchSignals({ stop, giveUp: () => resolve(1) })
    run(stopped, stop).then(resolve, reject)
  })
}

/**
 * Calls `stop` on the first signal, and `giveUp` on the next one that is not a repetition. Returns a function that removes
 * the handlers.
 */
export function watchSignals(
  { stop, giveUp }: { stop(): void; giveUp(): void },
  { signals = process as NodeJS.EventEmitter, now = () => performance.now() } = {},
) {
  let first: number | undefined
  const onSignal = () => {
    if (first !== undefined) return now() - first > REPEAT_MS ? giveUp() : undefined
    first = now()
    stop()
  }
  for (const signal of SIGNALS) signals.on(signal, onSignal)
  return () => {
    for (const signal of SIGNALS) signals.off(signal, onSignal)
  }
}

/** Runs work that the first signal aborts. The next signal calls `beforeExit` and ends the process. */
export async function untilAborted<T>(run: (signal: AbortSignal) => Promise<T>, beforeExit = () => {}): Promise<T> {
  const controller = new AbortController()
  const unwatch = watchSignals({
    stop: () => controller.abort(),
    giveUp() {
      beforeExit()
      process.exit(1)
    },
  })
  try {
    return await run(controller.signal)
  } finally {
    unwatch()
  }
}
