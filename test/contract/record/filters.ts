import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

interface Filters {
  filterable: Record<string, { fields: string[]; others: string[] }>
  chosen: [list: string, filter: string, ids: string[]][]
  excluded: [what: string, list: string, filter: string][]
}

/** Described in filters.yaml. */
export const { filterable, chosen, excluded } = parse(
  readFileSync(new URL('filters.yaml', import.meta.url), 'utf8'),
) as Filters
