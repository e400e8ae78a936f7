import { styleText } from 'node:util'
import { didYouMean } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { counted, printable, printableLines, shellExport } from '../../basics/text.ts'
import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { JournalEntry } from '../../contract/journal-entry.ts'
import type { Decision } from '../../contract/traffic.ts'
import type { Expired, StoredEntry } from '../../engine/sandbox/index.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { failureOf, levelOf } from './failure.ts'
import { type Launched, Lines, type Log } from './lines.ts'

/** Sandbox names per line. */
const MAX_NAMED = 5

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

/** Makes text printable, and coloured on a terminal unless NO_COLOR is set. */
const painter = ({ isTTY }: Output, env: NodeJS.ProcessEnv) => {
  const colours = isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return (colour: 'red' | 'green' | 'yellow' | 'cyan' | 'dim', text: string) =>
    colours ? styleText(colour, printable(text), { validateStream: false }) : printable(text)
}

export function prettyLog(output: Output = process.stdout, env = process.env): Log {
  const paint = painter(output, env)
  const dropped = (text: string) => paint('yellow', `warning: ${text}`)
  const lines = new Lines(output, dropped)
  const notices = new Lines(process.stderr)
  return {
    flush: () => lines.flush(),
    notice({ text }) {
      lines.flush()
      notices.add(() => `edgesim: ${printableLines(text)}`)
      notices.flush()
    },
    event({ type, data }) {
      const now = new Date()
      const add = (line: () => string) => lines.add(() => `${paint('dim', timeOfDay(now))} ${line()}`)
      if (type === 'warning') add(() => paint('yellow', `warning: ${data.text}`))
      if (type === 'request') add(() => requestLine(data, paint))
      if (type === 'traffic') add(() => trafficLine(data, paint))
      if (type === 'delivery' && data.status !== 'pending') add(() => deliveryLine(data, paint))
      if (type === 'expired') add(() => paint('dim', expiredLine(data)))
    },
    stopped(stored) {
      if (!stored) return
      const { file, records, changes } = stored
      const since = `${counted(changes, 'change')} since startup`
      lines.add(() => printable(`Stopped. Stored ${counted(records, 'record')} in ${file} (${since}).`))
    },
    ready(simulator, launched) {
      lines.add(() => printableLines(greeting(simulator, launched)))
      lines.flush()
    },
  }
}

/** Local time, whatever the sandbox clock shows. */
const timeOfDay = (at: Date) =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map(part => String(part).padStart(2, '0')).join(':')

function expiredLine({ count, sandboxes, unused_for }: Expired) {
  const more = count > MAX_NAMED ? ` and ${count - MAX_NAMED} more` : ''
  const names = sandboxes.slice(0, MAX_NAMED).join(', ') + more
  return `Dropped ${count === 1 ? 'a sandbox' : `${count} sandboxes`} unused for ${unused_for}: ${names}`
}

const whereIn = (sandbox: string) => (sandbox === 'default' ? '' : printable(` [${sandbox}]`))

/** The effects of the rules that fired. */
function effectsOf(rules: JournalEntry['rules']): string {
  const effects = rules.filter(rule => rule.fired).map(rule => rule.effect)
  return effects.length > 0 ? ` (${effects.join('; ')})` : ''
}

const COLOURS = { error: 'red', warn: 'yellow', info: 'green' } as const

function requestLine(entry: StoredEntry, paint: ReturnType<typeof painter>) {
  const { id, status, method, path, search, duration_ms, sandbox, rules } = entry
  const level = levelOf(status)
  const effects = effectsOf(rules)
  const why = effects && paint('cyan', effects)
  const failed = level === 'info' ? '' : ` ${printable(reasonOf(entry))}${paint('dim', id)}`
  const what = printable(`${method} ${path}${search}`)
  return `${paint(COLOURS[level], String(status ?? '---'))} ${what} ${paint('dim', `${Math.round(duration_ms ?? 0)} ms`)}${whereIn(sandbox)}${why}${failed}`
}

function trafficLine(decision: Decision, paint: ReturnType<typeof painter>) {
  const { edge, verdict, source_ip, method, path, status, sandbox, rules, explanation, failure } = decision
  const what = method === null ? 'connection' : `${method} ${path}`
  const isRefused = verdict === 'refuse' || failure !== null
  const why = isRefused ? ` ${shorten(failure ?? explanation.text, 160)}` : effectsOf(rules)
  const colour = verdict === 'refuse' ? 'yellow' : failure !== null || (status ?? 200) >= 500 ? 'red' : 'green'
  const subject = printable(`${edge} ${what} from ${source_ip}${whereIn(sandbox)}${why}`)
  return `${paint(colour, status === null ? verdict : String(status))} ${subject}`
}

function deliveryLine(delivery: EventDelivery, paint: ReturnType<typeof painter>) {
  const { status, type, destination, sandbox, failure } = delivery
  const colour = status === 'failed' ? 'red' : status === 'delivered' ? 'green' : 'dim'
  const why = failure === null ? '' : ` ${shorten(failure, 160)}`
  return `${paint(colour, status)} ${printable(`${type} for ${destination}${whereIn(sandbox)}${why}`)}`
}

/** The first sentence of a failure, and the closest valid name. The effects of a rule are shown separately. */
function reasonOf(entry: StoredEntry): string {
  const { msg, nearest } = failureOf(entry)
  if (msg === undefined || (entry.status === null && entry.rules.some(rule => rule.fired))) return ''
  const [first] = msg.split(/(?<=[.?!]) /, 1) as [string]
  const hint = nearest === undefined || first.includes(nearest) ? '' : didYouMean(nearest)
  return `${shorten(first, 120)}${shorten(hint, 120)} `
}

const exported = (variables: Record<string, string>) =>
  Object.entries(variables)
    .map(([name, value]) => `  ${shellExport(name, value)}\n`)
    .join('')

const MAX_TOKENS = 10

function greeting(
  { url, api, token, tokens, database, listeners, otherUrls, standIn, environment }: Simulator,
  { fixture, scenario, certificate }: Launched,
) {
  const shown = tokens
    .slice(0, MAX_TOKENS)
    .map(each => `${each.token} (${each.owner_id}${each.admin ? ', admin' : ''})`)
  if (tokens.length > MAX_TOKENS) shown.push(`and ${tokens.length - MAX_TOKENS} more`)
  const unknown = 'unknown, because only hashes are stored. Use one of yours in the command below'
  const known = api.tokens ? `tokens: ${shown.join(', ') || unknown}\n` : ''
  // Double quotes work in every shell, including on Windows.
  const certified = certificate && url.startsWith('https') ? ` --cacert "${certificate}"` : ''
  const own = api.tokens ? { Authorization: `Bearer ${token ?? '<token>'}` } : {}
  const headers = Object.entries({ ...own, ...api.headers })
  const curl = `curl${certified}${headers.map(([name, value]) => ` -H "${name}: ${value}"`).join('')} "${url}${api.first.path}"`
  const others = otherUrls()
  const interfaces = others && `\nand on all network interfaces${others.length > 0 ? `: ${others.join(', ')}` : ''}`
  const inPlace = standIn
    ? `redirected hosts: ${standIn.hosts.join(', ')}. Set these variables for clients, or run: eval "$(edgesim env --url ${url})"\n${exported(environment.variables)}`
    : ''
  return `edgesim listens on ${url}${interfaces ?? ''}
dashboard: ${url}/_sim/
fixture: ${fixture}${scenario ? `\nscenario: ${scenario}` : ''}${database ? `\ndatabase: ${database}` : ''}${certificate ? `\ncertificate: ${certificate} (also at ${url}/_sim/ca.pem)` : ''}
${listeners.map(({ edge, url: at, error }) => `edge: ${edge} ${at ? `listens on ${at}` : `is not listening: ${error}`}\n`).join('')}${inPlace}${known}
  ${curl}
`
}
