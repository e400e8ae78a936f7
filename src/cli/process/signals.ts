import { constants } from 'node:os'

/** npm repeats a Ctrl-C that the terminal has sent already: a second signal within this time is the same one. */
const REPEAT_MS = 1000

/** SIGBREAK is Ctrl-Break on Windows, and all that a program there can send to end another one in good order. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const

/**
 * The system ends a process at a signal that it does not listen to, but not process 1, as in a container: that one ends
 * itself, while it is loaded and in commands that do not listen.
 */
export function endOnSignals() {
  if (process.pid !== 1) return
  const end = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal])
  }
  for (const signal of SIGNALS) process.on(signal, end)
}

/** Runs until a signal or `stop`: then `stopped` resolves. A second signal ends the process at once. */
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
 * Calls `stop` at the first of these signals, and `giveUp` at the next one that is not a repetition. What it
 * returns ends this.
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

/** Runs work that the first signal aborts. The next one ends the process: `beforeExit` can say what that means. */
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
