import type { Assuming } from '../../engine/sandbox/index.ts'
import type { RawHeaders } from '../../server/proxy/header-fields.ts'
import { questions } from '../questions.ts'
import { checkHeaderName, checkHeaderValue } from '../resources/edges/headers.ts'

/** Headers that a route adds, and the lower-case names that it removes. */
export interface HeaderRules {
  add: [name: string, value: string][]
  remove: Set<string>
}

/** Undefined if the module is missing or not enabled. */
export function readRules(module: unknown): HeaderRules | undefined {
  const rules = module as { enabled: boolean; add: Record<string, string>; remove: string[] } | undefined
  if (!rules?.enabled) return undefined
  // Checked again, although stored values are valid: no rule may inject a line into a request.
  const add = Object.entries(rules.add).filter(([name, value]) => !checkHeaderName(name) && !checkHeaderValue(value))
  const remove = new Set(rules.remove.map(name => name.toLowerCase()))
  // A fixture may remove Host without a replacement, but a request needs one.
  if (!add.some(([name]) => name.toLowerCase() === 'host')) remove.delete('host')
  return { add, remove }
}

export interface Rewritten {
  headers: RawHeaders
  added: Record<string, string>
  /** As spelled in the request. */
  removed: string[]
}

/** docs/api.md 4.4: first removes headers, then adds headers. Names are case-insensitive. */
export function rewrite(raw: RawHeaders, rules: HeaderRules | undefined, asker: Pick<Assuming, 'assume'>): Rewritten {
  if (!rules) return { headers: raw, added: {}, removed: [] }
  const { remove } = rules
  const add = spelled(rules.add, asker)
  const has = (wanted: string) => raw.some((each, i) => i % 2 === 0 && each.toLowerCase() === wanted)
  const replaced = new Set<string>()
  for (const [name] of add) {
    const lower = name.toLowerCase()
    if (remove.has(lower) || !has(lower)) continue
    // Host is always replaced: a request has only one.
    if (lower === 'host' || asker.assume(questions.add_existing_header) === 'replace') replaced.add(lower)
  }
  const headers: string[] = []
  const removed = new Set<string>()
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!
    const lower = name.toLowerCase()
    if (remove.has(lower)) removed.add(name)
    else if (!replaced.has(lower)) headers.push(name, raw[i + 1]!)
  }
  for (const [name, value] of add) headers.push(name, value)
  return { headers, added: Object.fromEntries(add), removed: [...removed] }
}

/** Lower-cases added headers, unless `header_limits` is wide. */
function spelled(add: HeaderRules['add'], asker: Pick<Assuming, 'assume'>): HeaderRules['add'] {
  const matters = add.some(([name]) => name !== name.toLowerCase())
  if (!matters || asker.assume(questions.header_limits) === 'wide') return add
  return add.map(([name, value]) => [name.toLowerCase(), value])
}
