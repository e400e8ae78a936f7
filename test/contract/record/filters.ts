import { tableIn } from '../../support/tables.ts'

interface Filters {
  filterable: Record<string, { fields: string[]; others: string[] }>
  chosen: [list: string, filter: string, ids: string[]][]
  excluded: [what: string, list: string, filter: string][]
}

/** Described in filters.yaml. */
export const { filterable, chosen, excluded } = tableIn(import.meta.url, 'filters.yaml') as Filters
