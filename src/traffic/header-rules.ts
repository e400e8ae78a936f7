import { checkHeaderName, checkHeaderValue } from '../schema/index.ts'

/** Names and values in turn, like Node's rawHeaders. */
export type RawHeaders = readonly string[]

export interface HeaderRules {
  enabled: boolean
  add: Record<string, string>
  remove: string[]
}

export interface Rewritten {
  headers: RawHeaders
  added: Record<string, string>
  /** As the request spelled them. */
  removed: string[]
}

interface Compiled {
  add: [name: string, value: string, lower: string][]
  remove: Set<string>
}

/** A record's values never change, so its rules are compiled once. */
const compiled = new WeakMap<HeaderRules, Compiled>()

function compile(rules: HeaderRules): Compiled {
  let made = compiled.get(rules)
  if (!made) {
    const fit = Object.entries(rules.add).filter(([name, value]) => !checkHeaderName(name) && !checkHeaderValue(value))
    made = {
      add: fit.map(([name, value]) => [name, value, name.toLowerCase()]),
      remove: new Set(rules.remove.map(name => name.toLowerCase())),
    }
    compiled.set(rules, made)
  }
  return made
}

/**
 * docs/api.md 4.4: first removes headers, then adds headers; names are compared without case. `onExisting` is called
 * only when the request already has a header that is added.
 */
export function rewrite(
  raw: RawHeaders,
  rules: HeaderRules | undefined,
  onExisting: () => 'append' | 'replace',
): Rewritten {
  if (!rules?.enabled) return { headers: raw, added: {}, removed: [] }
  const { add, remove } = compile(rules)
  const has = (wanted: string) => raw.some((each, i) => i % 2 === 0 && each.toLowerCase() === wanted)
  const replaced = new Set<string>()
  for (const [, , lower] of add) {
    // Host is always replaced: a request has only one.
    if (!remove.has(lower) && has(lower) && (lower === 'host' || onExisting() === 'replace')) replaced.add(lower)
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
