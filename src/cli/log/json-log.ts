import type { Entry } from '../../contract/journal-entry.ts'
import type { Decision } from '../../contract/traffic.ts'
import type { Notice } from '../../simulator/types.ts'
import { Lines, type Log } from './lines.ts'

/** One line of JSON for each message, for programs to read. */
export function jsonLog(output: NodeJS.WriteStream = process.stdout): Log {
  const line = (level: string, fields: object, msg?: string) =>
    JSON.stringify({ level, time: Date.now(), ...fields, msg })
  const lines = new Lines(output, (text, count) => line('warn', { event: 'dropped', lines: count }, text))
  const write = (...fields: Parameters<typeof line>) => {
    const text = line(...fields)
    lines.add(() => text)
  }
  const writeNotice = ({ level, text }: Notice) => write(level, { event: 'notice' }, text)
  /** The ready event must be the first line: notices of the start wait until then. */
  let held: Notice[] | undefined = []
  const flush = () => {
    held?.forEach(writeNotice)
    held = undefined
    lines.flush()
  }
  return {
    flush,
    notice: notice => (held ? held.push(notice) : writeNotice(notice)),
    event({ type, sandbox, data }) {
      if (type === 'warning') write('warn', { event: 'warning', sandbox, operation_id: data.operation_id }, data.text)
      if (type === 'request') {
        const time = Date.now()
        lines.add(() => requestLine(data, time))
      }
      if (type === 'expired') write('info', { event: 'expired', ...data })
      if (type === 'traffic')
        write('info', { event: 'traffic', sandbox, ...trafficFields(data) }, data.explanation.text)
    },
    stopped: stored => write('info', { event: 'stopped', ...stored }),
    ready({ url, token, tokens, database, listeners, otherUrls }, launched) {
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
        ...launched,
      })
      flush()
    },
  }
}

const TRAFFIC_FIELDS = [
  'id',
  'edge',
  'verdict',
  'source_ip',
  'method',
  'path',
  'route',
  'status',
  'upstream',
  'failure',
] as const

const trafficFields = (decision: Decision) => Object.fromEntries(TRAFFIC_FIELDS.map(name => [name, decision[name]]))

/** Concatenated, because it is on the path of every request. Names and ids have no characters to escape. */
function requestLine(entry: Entry, time: number): string {
  const { sandbox, id, method, path, status, duration_ms, operation, caller, source_ip } = entry
  const head = `{"level":"info","time":${time},"event":"request","sandbox":"${sandbox}","id":"${id}"`
  const what = `"method":"${method}","path":${JSON.stringify(path)},"status":${status},"duration_ms":${duration_ms}`
  const who = `"operation":${text(operation)},"caller":${text(caller?.id)},"source_ip":"${source_ip}"`
  return `${head},${what},${who}}`
}

const text = (name: string | null | undefined) => (name == null ? 'null' : `"${name}"`)
