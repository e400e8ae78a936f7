/** npm passes on a Ctrl-C that the terminal has sent already: a second one this soon is the same one. */
const SAME_MS = 1000

/** `stop` is for the first SIGINT or SIGTERM, `giveUp` for the next that is meant as another. */
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
  signals.on('SIGINT', onSignal)
  signals.on('SIGTERM', onSignal)
}
