import { type CliOptions, shown } from '../../options/options.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import type { Notice } from '../../simulator/hooks.ts'
import type { Simulator } from '../../simulator/types.ts'
import type { Launched, LogWriter } from './lines.ts'
import { prettyLog } from './pretty-log.ts'

export type LogKind = 'pretty' | 'json' | 'silent'

export type Log = Awaited<ReturnType<typeof createLog>>

/** Prints errors only. */
const silentLog: LogWriter = {
  notice: notice => notice.level === 'error' && prettyLog().notice(notice),
  event: () => {},
  ready: () => {},
  stopped: () => {},
  flush: () => {},
}

/** `output` gets everything but the notices of a pretty log, which go to stderr. */
export async function createLog(kind: LogKind, output: NodeJS.WriteStream = process.stdout) {
  const writer =
    kind === 'json'
      ? (await import('./json-log.ts')).jsonLog(output)
      : kind === 'pretty'
        ? prettyLog(output)
        : silentLog
  /** With --log json the ready event must be the first line: notices of the start wait until then. */
  let held: Notice[] | undefined = kind === 'json' ? [] : undefined
  const flush = () => {
    for (const notice of held ?? []) writer.notice(notice)
    held = undefined
    writer.flush()
  }
  // Also when something else ends the process.
  if (kind !== 'silent') process.once('exit', () => writer.flush())
  return {
    flush,
    onNotice(notice: Notice) {
      if (held) held.push(notice)
      else writer.notice(notice)
    },
    onEvent: (event: SandboxEvent) => writer.event(event),
    ready(simulator: Simulator, { fixture, scenario, vendor }: CliOptions, certificate?: string) {
      const launched = { fixture: shown('fixture', fixture), scenario: scenario ?? null, vendor, certificate }
      writer.ready(simulator, launched as Launched)
      flush()
    },
    /** Closes the simulator; the last line says what is stored. False when it could not be stored. */
    async close(simulator: Simulator): Promise<boolean> {
      const failure = await simulator.close().catch((error: Error) => error)
      if (failure) writer.notice({ level: 'error', text: failure.message })
      writer.stopped(failure ? undefined : simulator.stored())
      flush()
      return !failure
    },
  }
}
