import { checkHeaderName, checkHeaderValue } from '../schema/index.ts'

/** Names and values in turn, as Node has them. */
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

/** By the module that says so: what a row holds never changes. */
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

const NOTHING: Pick<Rewritten, 'added' | 'removed'> = { added: {}, removed: [] }

/**
 * docs/api.md 4.4: what is to be removed goes first, then what is to be added comes; names are compared without case.
 * `asExisting` is asked only when the request already has a header that is to be added.
 */
export function rewrite(
  raw: RawHeaders,
  rules: HeaderRules | undefined,
  asExisting: () => 'append' | 'replace',
): Rewritten {
  if (!rules?.enabled) return { headers: raw, ...NOTHING }
  const { add, remove } = compile(rules)
  const has = (wanted: string) => raw.some((each, i) => i % 2 === 0 && each.toLowerCase() === wanted)
  const replaced = new Set<string>()
  for (const [, , lower] of add) {
    // A request cannot do with two hosts.
    if (!remove.has(lower) && has(lower) && (lower === 'host' || asExisting() === 'replace')) replaced.add(lower)
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
