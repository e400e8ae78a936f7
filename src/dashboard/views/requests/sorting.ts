import { sorted } from '../../state/lists.ts'
import type { ListedEntry } from '../../types.ts'

/** Sort values. Requests without a value come first. */
const VALUES: Record<string, (entry: ListedEntry) => string | number> = {
  status: ({ status }) => status ?? 0,
  method: ({ method }) => method,
  path: ({ path }) => path,
  took: ({ duration_ms }) => duration_ms ?? -1,
  caller: ({ caller }) => caller?.id ?? '',
  sandbox: ({ sandbox }) => sandbox,
}

/** A column name, with a minus for descending order. Default: newest first. */
export const sortOf = ({ sort = '-time' }: Record<string, string>) => sort

/** `entries` must be newest first. Entries with equal values remain in that order. */
export function sortEntries(entries: readonly ListedEntry[], sort: string): readonly ListedEntry[] {
  const descending = sort.startsWith('-')
  const column = sort.replace('-', '')
  if (column === 'time') return descending ? entries : entries.toReversed()
  const value = VALUES[column]
  return value ? sorted(entries, value, descending) : entries
}
