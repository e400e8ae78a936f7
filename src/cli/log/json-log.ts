import type { Decision } from '../../contract/traffic.ts'
import type { StoredEntry } from '../../engine/sandbox/index.ts'
import type { Notice } from '../../simulator/types.ts'
import { failureOf, levelOf } from './failure.ts'
import { Lines, type Log } from './lines.ts'

/** One line of JSON per message. */
export function jsonLog(output: NodeJS.WriteStream = process.stdout): Log {
  const line = (level: string, fields: object, msg?: string, time = Date.now()) =>
    JSON.stringify({ level, time, ...fields, msg })
  const lines = new Lines(output, (text, count) => line('warn', { event: 'dropped', lines: count }, text))
  const write = (level: string, fields: object, msg?: string) => {
    const now = Date.now()
    lines.add(() => line(level, fields, msg, now))
  }
  const writeNotice = ({ level, text }: Notice) => write(level, { event: 'notice' }, text)
  /** The ready event must be the first line, so startup notices wait for it. */
  let pending: Notice[] | undefined = []
  const flush = () => {
    pending?.forEach(writeNotice)
    pending = undefined
    lines.flush()
  }
  return {
    flush,
    notice: notice => (pending ? pending.push(notice) : writeNotice(notice)),
    event({ type, sandbox, data }) {
      if (type === 'warning') write('warn', { event: 'warning', sandbox, operation_id: data.operation_id }, data.text)
      if (type === 'request') {
        const level = levelOf(data.status)
        const { msg, ...failure } = level === 'info' ? {} : failureOf(data)
        write(level, { event: 'request', sandbox, ...requestFields(data), ...failure }, msg)
      }
      if (type === 'delivery') {
        const { body: _body, rules: _rules, ...fields } = data
        write('info', { event: 'delivery', ...fields })
      }
      if (type === 'expired') write('info', { event: 'expired', ...data })
      if (type === 'traffic')
        write('info', { event: 'traffic', sandbox, ...trafficFields(data) }, data.explanation.text)
    },
    stopped: stored => write('info', { event: 'stopped', ...stored }),
    ready({ url, token, tokens, database, listeners, otherUrls, standIn, environment }, launched) {
      const known = tokens.map(each => each.token)
      write('info', {
        event: 'ready',
        url,
        other_urls: otherUrls(),
        token,
        tokens: known,
        pid: process.pid,
        database,
        edges: listeners.length > 0 ? listeners : undefined,
        ...(standIn && { as: standIn.hosts, variables: environment.variables }),
        ...launched,
      })
      flush()
    },
  }
}

function requestFields({ id, method, path, search, status, duration_ms, operation, caller, source_ip }: StoredEntry) {
  const query = search === '' ? undefined : search
  return { id, method, path, query, status, duration_ms, operation, caller: caller?.id ?? null, source_ip }
}

function trafficFields(decision: Decision) {
  const { id, edge, verdict, source_ip, method, path, route, status, upstream, failure } = decision
  return { id, edge, verdict, source_ip, method, path, route, status, upstream, failure }
}
