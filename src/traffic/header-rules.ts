import { checkHeaderName, checkHeaderValue } from '../schema/index.ts'

/** Names and values in turn, like Node's rawHeaders. */
export type RawHeaders = readonly string[]

/** What a route adds to the headers of a request, and the names in lower case that it removes. */
export interface HeaderRules {
  add: [name: string, value: string][]
  remove: Set<string>
}

/** Undefined if the module is missing or not enabled. */
export function readRules(module: unknown): HeaderRules | undefined {
  const rules = module as { enabled: boolean; add: Record<string, string>; remove: string[] } | undefined
  if (!rules?.enabled) return undefined
  // Checked once more, although they were when they were stored: none may add a line to a request.
  const add = Object.entries(rules.add).filter(([name, value]) => !checkHeaderName(name) && !checkHeaderValue(value))
  return { add, remove: new Set(rules.remove.map(name => name.toLowerCase())) }
}

export interface Rewritten {
  headers: RawHeaders
  added: Record<string, string>
  /** As the request spelled them. */
  removed: string[]
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
  if (!rules) return { headers: raw, added: {}, removed: [] }
  const { add, remove } = rules
  const has = (wanted: string) => raw.some((each, i) => i % 2 === 0 && each.toLowerCase() === wanted)
  const replaced = new Set<string>()
  for (const [name] of add) {
    const lower = name.toLowerCase()
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
