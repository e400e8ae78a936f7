import type { Kind } from '../../types.ts'
import { plural } from './labels.ts'

/** `IP policies`, `ip_policies` and `/ip_policies/{id}` as lower-case words, each after a space. */
const wordsIn = (text: string) =>
  text
    .replace(/\{\w+\}/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(word => ` ${word}`)

const searchedIn = (kind: Kind) =>
  wordsIn([kind.label, plural(kind), kind.table, kind.path ?? '', kind.prefix].join(' ')).join('')

export interface FoundKinds {
  kinds: Kind[]
  /** The record that the text is the id of; it may not exist. */
  record?: { kind: Kind; id: string }
}

/**
 * The kinds that have words beginning with each word of the text, in their label, table, path or id prefix. If there are
 * none, the text may be an id: its prefix tells the kind.
 */
export function findKinds(kinds: readonly Kind[], text: string): FoundKinds {
  const words = wordsIn(text)
  const found = kinds.filter(kind => words.every(word => searchedIn(kind).includes(word)))
  if (found.length > 0) return { kinds: found }
  const id = text.trim()
  const kind = /^[a-z]+_\S+$/.test(id) ? kinds.find(({ prefix }) => id.startsWith(`${prefix}_`)) : undefined
  return kind ? { kinds: [kind], record: { kind, id } } : { kinds: [] }
}

/** The kinds by family, both in the order of their declaration. */
export function byFamily(kinds: readonly Kind[]): [family: string, kinds: Kind[]][] {
  const families = new Map<string, Kind[]>()
  for (const kind of kinds) families.set(kind.family, [...(families.get(kind.family) ?? []), kind])
  return [...families]
}
