/** npm forwards a Ctrl-C that the terminal has already sent: a second signal within this time is the same one. */
const SAME_MS = 1000

/** Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, and `giveUp` at the next one that is not a repetition. */
export function watchSignals(
  { stop, giveUp }: { stop(): void; giveUp(): void },
  { signals = process as NodeJS.EventEmitter, now = () => performance.now() } = {},
) {
  let first: number | undefined
  const onSignal = () => {
    if (first !== undefined) return now() - first > SAME_MS ? giveUp() : undefined
    first = now()
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.on(signal, onSignal)
}
