import { pluralOf } from '../../../basics/text.ts'
import type { Kind } from '../../types.ts'

/** `IP policies`, `ip_policies` and `/ip_policies/{id}` as lower-case words, each after a space. */
const wordsIn = (text: string) =>
  text
    .replace(/\{\w+\}/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(word => ` ${word}`)

const searchText = (kind: Kind) =>
  wordsIn([kind.label, pluralOf(kind.label), kind.table, kind.path ?? '', kind.prefix].join(' ')).join('')

/** The kind of an id, by its prefix. Table names are not ids, even if they start with a prefix: `app_users`. */
function kindOfId(kinds: readonly Kind[], text: string): Kind | undefined {
  if (/\s/.test(text) || kinds.some(({ table }) => table.startsWith(text))) return undefined
  return kinds.find(({ prefix }) => text.startsWith(`${prefix}_`))
}

/** Kinds that match the start of every word, in their label, table, path or id prefix. The record might not exist. */
export function findKinds(kinds: readonly Kind[], text: string) {
  const id = text.trim()
  const kind = kindOfId(kinds, id)
  if (kind) return { kinds: [kind], record: { kind, id } }
  const words = wordsIn(text)
  return { kinds: kinds.filter(each => words.every(word => searchText(each).includes(word))) }
}
