import { counted } from './text.ts'

/**
 * The limit for searches: characters of a filter, a query, an expectation or paths, times the records, entries or
 * operations that they are compared with. At the limit, a search takes about 0.2 s.
 */
export const MAX_COMPARISONS = 20_000_000

/** Why a search would take too long, checked before it starts. */
export function whyTooLong({ length }: string, count: number, noun: string): string | undefined {
  if (length * count <= MAX_COMPARISONS) return undefined
  const most = Math.floor(MAX_COMPARISONS / count)
  return `${most} characters are the limit for ${counted(count, noun)}, got ${length}`
}
