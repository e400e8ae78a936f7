import type { SandboxEvent } from '../sandbox/index.ts'
import type { Notice, Simulator } from '../simulator.ts'

interface Launched {
  fixture: string
  vendor: string
}

/** What is printed while running: for people, for programs, or nothing. */
export function createLog(kind: 'pretty' | 'json' | 'silent') {
  const write = (line: string) => process.stdout.write(`${line}\n`)
  const json = (record: object) => write(JSON.stringify(record))
  return {
    onNotice(notice: Notice) {
      if (kind === 'json') json({ event: 'notice', level: notice.level, msg: notice.text })
      else if (kind === 'pretty' || notice.level === 'error') process.stderr.write(`edgesim: ${notice.text}\n`)
    },
    onEvent({ type, sandbox, data }: SandboxEvent) {
      if (kind === 'silent') return
      if (type === 'request') {
        const { id, method, path, status, duration_ms, operation } = data
        if (kind === 'json') json({ event: 'request', sandbox, id, method, path, status, duration_ms, operation })
        else
          write(
            `${status} ${method} ${path} ${Math.round(duration_ms ?? 0)} ms${sandbox === 'default' ? '' : ` [${sandbox}]`}`,
          )
      }
      if (type === 'warning') {
        if (kind === 'json') json({ event: 'warning', sandbox, ...data })
        else write(`warning: ${data.text}`)
      }
    },
    ready(simulator: Simulator, launched: Launched) {
      const { url, token, tokens } = simulator
      if (kind === 'json')
        return json({ event: 'ready', url, token, tokens: tokens.map(each => each.token), ...launched })
      if (kind === 'silent') return
      const header = `${launched.vendor[0]!.toUpperCase()}${launched.vendor.slice(1)}-Version: 2`
      write(`edgesim serves ${url}`)
      write(`fixture: ${launched.fixture}`)
      if (tokens.length === 0) write('tokens: only their hashes are kept, so none can be shown')
      else
        write(
          `tokens: ${tokens.map(each => `${each.token} (${each.owner_id}${each.admin ? ', admin' : ''})`).join(', ')}`,
        )
      write(`\n  curl -H 'Authorization: Bearer ${token ?? '<token>'}' -H '${header}' ${url}/api_keys\n`)
    },
  }
}
