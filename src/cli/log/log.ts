import type { CliOptions } from '../../simulator/options/options.ts'
import type { Log } from './lines.ts'
import { prettyLog } from './pretty-log.ts'

/** Prints errors only. */
const silentLog: Log = {
  notice: notice => notice.level === 'error' && prettyLog().notice(notice),
  event: () => {},
  ready: () => {},
  stopped: () => {},
  flush: () => {},
}

/** `output` receives everything except the notices of a pretty log, which go to stderr. */
export async function createLog(kind: CliOptions['log'], output: NodeJS.WriteStream = process.stdout): Promise<Log> {
  if (kind === 'silent') return silentLog
  const log = kind === 'json' ? (await import('./json-log.ts')).jsonLog(output) : prettyLog(output)
  // Including when something else ends the process.
  process.once('exit', () => log.flush())
  return log
}
