import { parseWhere } from 'json-server/lib/parse-where.js'
import { Service } from 'json-server/lib/service.js'
import type { Row } from '../schema/index.ts'

/** `_embed` finds nothing here: it looks for fields like userId, and ours are named otherwise. */
const OWN = new Set(['_sort', '_page', '_per_page', '_where', '_embed'])

/**
 * json-server's query language over rows of ours. Only its search is used: its server would also serve files of the
 * working folder, answer to any origin, and change records without checking them.
 */
export function findRecords(table: string, rows: readonly Row[], query: URLSearchParams): unknown {
  const filters = new URLSearchParams([...query].filter(([name]) => !OWN.has(name)))
  const service = new Service({ data: { [table]: rows } })
  return service.find(table, {
    where: readWhere(query.get('_where')) ?? parseWhere(filters.toString()),
    sort: query.get('_sort') ?? undefined,
    page: readNumber(query.get('_page')),
    perPage: readNumber(query.get('_per_page')),
  })
}

function readWhere(text: string | null): object | undefined {
  try {
    const where = text === null ? undefined : JSON.parse(text)
    return typeof where === 'object' && where !== null ? where : undefined
  } catch {
    return undefined
  }
}

function readNumber(text: string | null): number | undefined {
  const number = Number.parseInt(text ?? '', 10)
  return Number.isNaN(number) ? undefined : number
}
