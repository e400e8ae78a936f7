import type { ListedEntry } from '../../types.ts'

export type Column = 'time' | 'status' | 'method' | 'path' | 'took' | 'caller' | 'sandbox'

/** Sort values. Requests without a value come first. */
const VALUES: Record<Exclude<Column, 'time'>, (entry: ListedEntry) => string | number> = {
  status: ({ status }) => status ?? 0,
  method: ({ method }) => method,
  path: ({ path }) => path,
  took: ({ duration_ms }) => duration_ms ?? -1,
  caller: ({ caller }) => caller?.id ?? '',
  sandbox: ({ sandbox }) => sandbox,
}

/** A column name, with a minus for descending order. Default: newest first. */
export const sortOf = ({ sort = '-time' }: Record<string, string>) => sort

export function sorted<T>(list: readonly T[], value: (each: T) => string | number, descending: boolean): T[] {
  const [less, more] = descending ? [1, -1] : [-1, 1]
  const keyed = list.map(each => ({ each, key: value(each) }))
  return keyed.sort((a, b) => (a.key < b.key ? less : a.key > b.key ? more : 0)).map(({ each }) => each)
}

/** `entries` must be newest first. Entries with equal values remain in that order. */
export function sortEntries(entries: readonly ListedEntry[], sort: string): readonly ListedEntry[] {
  const descending = sort.startsWith('-')
  const column = sort.replace('-', '')
  if (column === 'time') return descending ? entries : entries.toReversed()
  const value = VALUES[column as keyof typeof VALUES]
  return value ? sorted(entries, value, descending) : entries
}
