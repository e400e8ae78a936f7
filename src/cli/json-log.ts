import { Lines } from './lines.ts'
import type { LogWriter } from './log-writer.ts'

/** A line of JSON for everything, for programs to read. */
export function jsonLog(output = process.stdout): LogWriter {
  const lines = new Lines(output)
  const write = (level: string, fields: object, msg?: string) =>
    lines.write(`${JSON.stringify({ level, time: Date.now(), ...fields, msg })}\n`)
  return {
    flush: () => lines.flush(),
    notice: ({ level, text }) => write(level, { event: 'notice' }, text),
    event({ type, sandbox, data }) {
      if (type === 'warning') write('warn', { event: 'warning', sandbox, operation_id: data.operation_id }, data.text)
      if (type !== 'request') return
      const { id, method, path, status, duration_ms, operation, caller, source_ip } = data
      const request = { event: 'request', sandbox, id, method, path, status, duration_ms, operation }
      write('info', { ...request, caller: caller?.id ?? null, source_ip })
    },
    ready({ url, token, tokens, database }, launched) {
      const known = tokens.map(each => each.token)
      write('info', { event: 'ready', url, token, tokens: known, pid: process.pid, database, ...launched })
      lines.flush()
    },
  }
}
