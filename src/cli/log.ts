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
  const tell = ({ level, text }: Notice) => {
    if (kind === 'json') json({ event: 'notice', level, msg: text })
    else if (kind === 'pretty' || level === 'error') process.stderr.write(`edgesim: ${text}\n`)
  }
  /** Programs wait for the ready line and take it for the first: notices of the start come after it. */
  let held: Notice[] | undefined = kind === 'json' ? [] : undefined
  const flush = () => {
    for (const notice of held ?? []) tell(notice)
    held = undefined
  }
  return {
    flush,
    onNotice(notice: Notice) {
      if (held) held.push(notice)
      else tell(notice)
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
    ready({ url, token, tokens }: Simulator, launched: Launched) {
      if (kind === 'json')
        json({ event: 'ready', url, token, tokens: tokens.map(each => each.token), pid: process.pid, ...launched })
      if (kind === 'pretty') write(greeting(url, token, tokens, launched))
      flush()
    },
  }
}

function greeting(url: string, token: string | null, tokens: Simulator['tokens'], { fixture, vendor }: Launched) {
  const shown = tokens.map(each => `${each.token} (${each.owner_id}${each.admin ? ', admin' : ''})`)
  const header = `${vendor[0]!.toUpperCase()}${vendor.slice(1)}-Version: 2`
  // Double quotes, because every shell knows them, also those of Windows.
  return `edgesim serves ${url}
fixture: ${fixture}
tokens: ${shown.join(', ') || 'only their hashes are kept, so none can be shown'}

  curl -H "Authorization: Bearer ${token ?? '<token>'}" -H "${header}" "${url}/api_keys"
`
}
