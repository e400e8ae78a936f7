import { assumptions } from '../assumptions.ts'
import { toApiError } from '../errors.ts'
import { nearest } from '../files/nearest.ts'
import { kinds } from '../resources/index.ts'
import type { Call, Explanation } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { BODY_LIMIT } from './send.ts'

/** Why a call was answered as it was: the check that decided it, the section or the guess behind that, and what comes close. */
export function explain(call: Call, error: unknown): Explanation {
  const guesses = call.assumptions.map(({ name, value }) => guess(name, value)).join(' ')
  const clock = call.clockPlayedAPart ? ` The sandbox's clock stands at ${call.sandbox.clock.timestamp()}.` : ''
  const fired = call.entry.rules.filter(rule => rule.fired)
  const rules = fired
    .map(({ name, effect }) => ` The rule "${name}" of the scenario "${call.sandbox.rules?.name}": ${effect}.`)
    .join('')
  if (error === undefined) {
    const { id, section } = call.operation!
    const change = call.change ? `It was carried out, as change ${call.change.seq}.` : 'It changed nothing.'
    return {
      decided_by: fired.length > 0 ? 'rule' : 'operation',
      section,
      text: `${id}: ${change}${rules}${guesses ? ` ${guesses}` : ''}${clock}`,
      nearest: null,
    }
  }
  const { error: name, row, message, params } = toApiError(error, BODY_LIMIT)
  const close = typeof params.nearest === 'string' ? params.nearest : row.status === 404 ? elsewhere(call) : undefined
  const kind = close === undefined ? '' : ` ${close} is ${article(close)}.`
  const text = `${message}${rules}${guesses ? ` ${guesses}` : ''}${kind}${clock}`
  return { decided_by: name, section: row.section, text, nearest: close ?? null }
}

function guess(name: keyof typeof assumptions, value: string): string {
  const { section, alternatives } = assumptions[name]
  const flip = (alternatives as string[]).filter(other => other !== value)
  const flags = [...flip, ...(value === assumptions[name].default ? [] : [assumptions[name].default])]
  const how = flags.length > 0 ? `; --assume ${name}=${[...new Set(flags)].join('|')} flips it` : ''
  return `docs/api.md ${section} is silent here: ${name}=${value} is assumed${how}.`
}

/** An id of another kind than the path wants, or close to one: the mistake is often the path, not the id. */
function elsewhere(call: Call): string | undefined {
  const wanted = Object.values(call.params)
  const ids = allIds(call)
  return wanted.find(id => ids.includes(id)) ?? wanted.map(id => nearest(id, ids)).find(Boolean)
}

/** A hint is not worth walking large tables. */
function allIds({ tables }: Call): string[] {
  const ids: string[] = []
  for (const { table, parts } of kinds) {
    let looked = 0
    for (const row of tables.of(table).newestFirst()) {
      if (++looked > 500) break
      ids.push(row.id)
      for (const list of Object.keys(parts ?? {})) ids.push(...(row[list] as Row[]).map(part => part.id))
    }
  }
  return ids
}

function article(id: string): string {
  const prefix = id.slice(0, id.indexOf('_'))
  for (const { prefix: own, label, parts } of kinds) {
    if (own === prefix) return `the id of ${/^[AEIH]/.test(label) ? 'an' : 'a'} ${label}`
    const part = Object.values(parts ?? {}).find(each => each.prefix === prefix)
    if (part) return `the id of an ${part.label}`
  }
  return 'what comes closest'
}
