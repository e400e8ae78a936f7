import { nearest } from '../../basics/nearest.ts'
import { withArticle } from '../../basics/text.ts'
import type { Explanation } from '../../contract/journal-entry.ts'
import type { ApiError } from '../../engine/error.ts'
import { isCollection, pathTo } from '../../engine/language/index.ts'
import { newestIds } from '../../engine/operations/find.ts'
import type { Call } from '../../engine/sandbox/index.ts'
import type { Cause, Tables } from '../../engine/state/index.ts'

type Params = Record<string, unknown>

/** The reason for a response: the deciding check, its section or assumption, the closest match. */
export function explain(call: Call, refusal: ApiError | undefined, isSent: boolean): Explanation {
  const { operation, change, entry, sandbox } = call
  const fired = entry.rules.filter(rule => rule.fired)
  const circumstances = (message: string) => [
    ...fired.map(({ name, effect }) => `The rule "${name}" of the scenario "${call.rules?.name}": ${effect}.`),
    ...call.assumptions.map(({ name, value }) => describeAssumption(call, name, value, message)),
    ...(call.delayedMs > 0 ? [`--delay added ${Math.round(call.delayedMs)} ms.`] : []),
    ...(call.usedFrozenClock ? [`The sandbox clock is frozen at ${sandbox.clock.timestamp()}.`] : []),
  ]
  const done = change
    ? `Executed as change ${change.seq}.`
    : call.refusal
      ? `Rejected (${call.refusal.error}): ${call.refusal.message}`
      : 'Nothing was changed.'
  if (!isSent && fired.length === 0) {
    const text = `The client disconnected before the response. ${done}`
    return {
      decided_by: 'client_left',
      section: operation?.section ?? sectionOf(call, 'client_left'),
      text,
      nearest: null,
    }
  }
  if (!refusal) {
    const { id, section } = operation!
    const text = [`${id}: ${done}`, ...circumstances('')].join(' ')
    return { decided_by: fired.length > 0 ? 'rule' : 'operation', section, text, nearest: null }
  }
  const { error: name, message, params } = refusal
  const hints = hintsFor(call, name, params)
  const text = [message, ...hints.sentences, ...circumstances(message)].join(' ')
  return { decided_by: name, section: sectionOf(call, name), text, nearest: hints.nearest }
}

const sectionOf = ({ api }: Call, decidedBy: string) => api.sectionOf?.(decidedBy) ?? ''

/** Facts that are not in the message: the meaning of an id, its deletion, the announced length. */
function hintsFor(call: Call, error: string, params: Params): { nearest: string | null; sentences: string[] } {
  const { id, prefix, owner, nearest = owner } = params as Partial<Record<string, string>>
  const sentences: string[] = []
  if (id !== undefined && prefix !== undefined) {
    const found = findMeant(call.tables, id, prefix)
    return { nearest: found?.id ?? null, sentences: found ? [`${found.id} is the id of ${found.what}.`] : [] }
  }
  const tables = tablesWith(call)
  const isGone = id !== undefined && !tables.some(table => call.tables.get(table, id))
  const removal = isGone ? call.sandbox.history.removalOf(id, tables) : undefined
  if (removal) sentences.push(describeRemoval(removal.cause))
  const announced = call.entry.request.headers['content-length']
  if (error === 'body_too_large' && announced) sentences.push(`The Content-Length is ${announced} bytes.`)
  return { nearest: nearest ?? null, sentences }
}

/** The tables that may have an id of the request: only its own if ids are the same for every kind. */
function tablesWith({ api: { catalog }, operation }: Call): readonly string[] {
  if (!catalog.ids.perKind) return catalog.tableNames
  return operation && 'table' in operation.resource ? [operation.resource.table] : []
}

const describeRemoval = ({ kind, id }: Cause) =>
  kind === 'request' ? `It was deleted by ${id}.` : `It was deleted with the control API (${kind}).`

/** Omits the flag if the error's message already has it. */
function describeAssumption({ api }: Call, name: string, value: string, message: string): string {
  const { section, values } = api.assumptions[name]!
  const others = values.filter(other => other !== value)
  const flip = others.length > 0 && !message.includes(`--assume ${name}=`)
  const place = api.document ? ` (${api.document} ${section})` : ''
  return `Assumed${place}: ${name}=${value}${flip ? `. To change it: --assume ${name}=${others.join('|')}` : ''}.`
}

/** The probable record for an id of the wrong kind, or without its prefix. */
function findMeant(tables: Tables, id: string, wanted: string): { id: string; what: string } | undefined {
  const kindWith = (prefix: string) => tables.catalog.kinds.find(kind => kind.prefix === prefix)
  const own = kindWith(id.slice(0, Math.max(0, id.indexOf('_'))))
  const candidates = own && own.prefix !== wanted ? newestIds(tables, own.table) : []
  const close = candidates.includes(id) ? id : nearest(id, candidates)
  const kind = close ? own : kindWith(wanted)
  const row = kind && tables.get(kind.table, close ?? `${wanted}_${id}`)
  if (!row) return undefined
  const path = isCollection(kind) ? `: ${pathTo(kind, row)}` : ''
  return { id: row.id, what: `${withArticle(kind.label)}${path}` }
}
