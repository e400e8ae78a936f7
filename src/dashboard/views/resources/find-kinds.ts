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

/** The kind that the text is an id of, by its prefix. A table may begin like an id: `app_users` may not be one of an app. */
function kindOfId(kinds: readonly Kind[], text: string): Kind | undefined {
  if (/\s/.test(text) || kinds.some(({ table }) => table.startsWith(text))) return undefined
  return kinds.find(({ prefix }) => text.startsWith(`${prefix}_`))
}

/** The kinds that have words beginning with each word of the text, in their label, table, path or id prefix. */
export function findKinds(kinds: readonly Kind[], text: string): FoundKinds {
  const id = text.trim()
  const kind = kindOfId(kinds, id)
  if (kind) return { kinds: [kind], record: { kind, id } }
  const words = wordsIn(text)
  return { kinds: kinds.filter(each => words.every(word => searchedIn(each).includes(word))) }
}

/** The kinds by family, both in the order of their declaration. */
export function byFamily(kinds: readonly Kind[]): [family: string, kinds: Kind[]][] {
  const families = new Map<string, Kind[]>()
  for (const kind of kinds) families.set(kind.family, [...(families.get(kind.family) ?? []), kind])
  return [...families]
}
