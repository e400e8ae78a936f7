import type { ListedEntry } from '../../types.ts'

export type Column = 'time' | 'status' | 'method' | 'path' | 'took' | 'caller' | 'sandbox'

/** What a column is sorted by; a request without it comes first. */
const VALUES: Record<Exclude<Column, 'time'>, (entry: ListedEntry) => string | number> = {
  status: ({ status }) => status ?? 0,
  method: ({ method }) => method,
  path: ({ path }) => path,
  took: ({ duration_ms }) => duration_ms ?? -1,
  caller: ({ caller }) => caller?.id ?? '',
  sandbox: ({ sandbox }) => sandbox,
}

/** A column, with a minus before it if the largest comes first. Newest first unless it says otherwise. */
export const sortOf = ({ sort = '-time' }: Record<string, string>) => sort

export function sorted<T>(list: readonly T[], value: (each: T) => string | number, down: boolean): T[] {
  const [less, more] = down ? [1, -1] : [-1, 1]
  const keyed = list.map(each => ({ each, key: value(each) }))
  return keyed.sort((a, b) => (a.key < b.key ? less : a.key > b.key ? more : 0)).map(({ each }) => each)
}

/** `entries` are newest first, and stay so where a column has the same value. */
export function sortEntries(entries: readonly ListedEntry[], sort: string): readonly ListedEntry[] {
  const down = sort.startsWith('-')
  const column = sort.replace('-', '')
  if (column === 'time') return down ? entries : entries.toReversed()
  const value = VALUES[column as keyof typeof VALUES]
  return value ? sorted(entries, value, down) : entries
}
