import type { Kind, Row } from '../types.ts'
import { summaryOf } from './kinds.ts'
import { resources, sandboxControl } from './simulator.ts'

export interface Page {
  items: number
  pages: number
  data: Row[]
}

interface Wanted {
  /** Part of the ID or of a string field. */
  text?: string
  page?: string
  per: string | number
  sort?: string
}

/** The path of a page of records: the simulator searches, sorts and paginates. */
export function pageOf({ table, fields }: Kind, { text, page = '1', per, sort }: Wanted): string {
  const params = new URLSearchParams({ _page: page, _per_page: String(per), ...(sort && { _sort: sort }) })
  if (text) {
    const names = ['id', ...fields.filter(({ schema }) => schema.type === 'string').map(({ name }) => name)]
    params.set('_where', JSON.stringify({ or: names.map(name => ({ [name]: { contains: text } })) }))
  }
  return `/db/${table}?${params}`
}

/** The path of a record in the state. */
export const storedAt = ({ table }: Kind, id: string) => `/db/${table}/${encodeURIComponent(id)}`

/** What distinguishes a record besides its ID. */
export const titleOf = (kind: Kind, row: Row) => String(row.name ?? row.description ?? summaryOf(kind, row))

/** Records of several tables that contain a text. */
export async function findRecords(tables: readonly string[], wanted: Wanted, signal: AbortSignal) {
  const kinds = resources.value!.kinds.filter(({ table }) => tables.includes(table))
  const found = kinds.map(async kind => {
    const { data } = await sandboxControl<Page>('GET', pageOf(kind, wanted), { signal })
    return data.map(row => ({ id: row.id, title: titleOf(kind, row) }))
  })
  return (await Promise.all(found)).flat()
}
