import { pino } from 'pino'
import type { LogWriter } from './log-writer.ts'

/** A line of JSON for everything, for programs to read. */
export function jsonLog(): LogWriter {
  // Written at once: the last lines before an exit must not be lost.
  const log = pino(
    { base: undefined, formatters: { level: level => ({ level }) } },
    pino.destination({ dest: 1, sync: true }),
  )
  return {
    notice: ({ level, text }) => log[level]({ event: 'notice' }, text),
    event({ type, sandbox, data }) {
      if (type === 'warning') log.warn({ event: 'warning', sandbox, operation_id: data.operation_id }, data.text)
      if (type !== 'request') return
      const { id, method, path, status, duration_ms, operation, caller, source_ip } = data
      log.info({
        event: 'request',
        sandbox,
        id,
        method,
        path,
        status,
        duration_ms,
        operation,
        caller: caller?.id ?? null,
        source_ip,
      })
    },
    ready({ url, token, tokens, database }, launched) {
      const known = tokens.map(each => each.token)
      log.info({ event: 'ready', url, token, tokens: known, pid: process.pid, database, ...launched })
    },
  }
}
