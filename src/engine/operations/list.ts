import { nearest } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import type { Reply } from '../api.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { Collection, Row } from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import type { Table } from '../state/index.ts'
import { ruleContext } from './collection.ts'
import { find, mayAccess } from './find.ts'
import { presentRow, textPresenter } from './present.ts'

/** A filter in the query, with the part of the query that repeats it. */
interface Filter {
  matches(row: Row): boolean
  query: string
}

export const list = (call: Call, resource: Collection): Reply => listRows(call, resource, filterOf(call, resource))

function filterOf(call: Call, resource: Collection): Filter | undefined {
  const { listFilter } = call.api
  const text = listFilter && resource.filterable && call.search !== '' && call.query.get(listFilter.parameter)
  const matches = text && listFilter.read(call, resource, text)
  if (!matches) return undefined
  const query = `&${listFilter.parameter}=${encodeURIComponent(text)}`
  return { matches: row => matches(presentRow(call, resource, row)), query }
}

/** Records of another kind that belong to the record in the path. */
export function sublist(call: Call, resource: Collection, key: string): Reply {
  const record = find(call, resource)
  const { table, by, rows: rowsOf } = resource.lists![key]!
  const rows = by ? call.tables.where(table, by, record.id) : rowsOf!(record, ruleContext(call, resource))
  const inside = { path: `${resource.path}/${record.id}/${key}`, rows }
  return listRows(call, call.tables.catalog.kindOf(table) as Collection, undefined, inside)
}

/** A list of some rows (oldest first) instead of a whole table, with its path. */
interface Inside {
  path: string
  rows: Row[]
}

function listRows(call: Call, resource: Collection, filter: Filter | undefined, inside?: Inside): Reply {
  const { pages } = call.api
  const asked = pages.read(call, resource)
  const { limit, after: order, skip = 0 } = asked
  const table = call.tables.of(resource.table)
  const newestFirst = call.assume(questions.page_order) === 'newest_first'
  const picked = inside ? { rows: inside.rows, query: '' } : pick(call, resource)
  const rows = picked
    ? fromCursor(picked.rows, table, order, newestFirst)
    : newestFirst
      ? table.newestFirst(order)
      : table.oldestFirst(order)
  const page = take(call, resource, rows, skip + limit + 1, filter)
  const shown = page.slice(skip, skip + limit)
  const uri = `${call.baseUrl}${inside?.path ?? resource.path}`
  const rest = `${picked?.query ?? ''}${filter?.query ?? ''}`
  const facts = { kind: resource, uri, page: asked, shown, hasMore: page.length > skip + limit, rest }
  const [before, after] = pages.envelope(call, { ...facts, total: picked?.rows.length ?? table.size })
  const text = [before]
  const textOf = textPresenter(call, resource)
  for (const row of shown) text.push(text.length > 1 ? ',' : '', textOf(row))
  text.push(after)
  return { status: 200, text }
}

/** The rows selected by query parameters, oldest first, and these parameters. Undefined without them. */
function pick(call: Call, { table, picks = {} }: Collection): { rows: Row[]; query: string } | undefined {
  const given = Object.keys(picks).filter(name => call.search !== '' && call.query.getAll(name).some(Boolean))
  if (given.length === 0) return undefined
  const own = call.tables.of(table)
  const valuesOf = (name: string) => new Set(call.query.getAll(name).flatMap(text => text.split(',')))
  const [first, ...others] = given.map(name => ({ field: picks[name]!, values: valuesOf(name) }))
  const holding = ({ field, values }: { field: string; values: Set<string> }) =>
    field === 'id' ? [...values].flatMap(id => own.get(id) ?? []) : [...values].flatMap(each => own.where(field, each))
  const rows = holding(first!).filter(row => others.every(({ field, values }) => values.has(String(row[field]))))
  const query = given.map(name => `&${name}=${encodeURIComponent([...valuesOf(name)].join(','))}`).join('')
  return { rows: rows.sort((a, b) => own.orderOf(a.id)! - own.orderOf(b.id)!), query }
}

/** The rows after the cursor, in list order. The input is oldest first. */
function fromCursor(rows: Row[], table: Table, cursor: number | undefined, newestFirst: boolean): Row[] {
  if (newestFirst) return rows.filter(({ id }) => cursor === undefined || table.orderOf(id)! < cursor).reverse()
  return rows.filter(({ id }) => cursor === undefined || table.orderOf(id)! > cursor)
}

/** Returns the first rows that the caller can access and that match the filter. */
function take(call: Call, resource: Collection, rows: Iterable<Row>, max: number, filter?: Filter): Row[] {
  const taken: Row[] = []
  for (const row of rows) {
    if (!mayAccess(call, resource, row) || filter?.matches(row) === false) continue
    if (taken.push(row) === max) break
  }
  return taken
}

/** Checks the query of every operation, although only lists have parameters. */
export function checkQuery(call: Call) {
  if (call.search === '') return
  const { kind, resource } = call.operation!
  const isList = kind === 'list' || kind === 'sublist'
  const picks = kind === 'list' ? Object.keys(resource.picks ?? {}) : []
  const { listFilter, pages } = call.api
  const filter = kind === 'list' && resource.filterable && listFilter?.parameter
  const filters = filter && listFilter!.isAllowed(call) ? [filter] : []
  const { parameters, aliases = [] } = pages
  const allowed = isList ? [...Object.keys(parameters), ...picks, ...filters] : []
  const known = isList ? [...allowed, ...aliases] : []
  for (const name of new Set(call.query.keys())) {
    if (!known.includes(name)) {
      if (name !== filter && call.assume(questions.unknown_query) === 'ignore') continue
      fail(errors.unknown_query, { field: shorten(name, 60), allowed, nearest: nearest(name, known) })
    }
    const count = call.query.getAll(name).length
    if (count > 1 && !picks.includes(name)) fail(errors.repeated_query, { field: name, count })
  }
}
