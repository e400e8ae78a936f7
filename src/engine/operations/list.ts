import { whyTooLong } from '../../basics/comparisons.ts'
import { nearest } from '../../basics/nearest.ts'
import { shorten } from '../../basics/problem.ts'
import { ApiError, fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { Collection, Row } from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import type { Table } from '../state/index.ts'
import { ruleContext } from './collection.ts'
import { compileFilter } from './filter.ts'
import { filterFields } from './filter-members.ts'
import { find, mayAccess } from './find.ts'
import { presentRow, type Reply, textPresenter } from './present.ts'
import { chooserOf, filterTime } from './selectors.ts'

/** The filter of a list. Null for other calls, and if filters are assumed to have no effect. */
function filterOf(call: Call): string | null {
  const { kind, resource } = call.operation!
  const text = call.search !== '' && kind === 'list' && resource.filterable ? call.query.get('filter') : null
  return text && call.assume(questions.list_filter) === 'documented' ? text : null
}

export const list = (call: Call, resource: Collection): Reply => listRows(call, resource, filterOf(call))

/** Records of another kind that belong to the record in the path. */
export function sublist(call: Call, resource: Collection, key: string): Reply {
  const record = find(call, resource)
  const list = resource.lists![key]!
  const { table, rows } = list
  const own =
    typeof rows === 'string' ? call.tables.of(table).where(rows, record.id) : rows(record, ruleContext(call, resource))
  const path = `${resource.path}/${record.id}/${key}`
  const inside = { path, rows: [...own], chooses: chooserOf(call, list, record) }
  return listRows(call, call.tables.catalog.kindOf(table) as Collection, null, inside)
}

/** A list of some rows (oldest first) instead of a whole table, with its path. */
interface Inside {
  path: string
  rows: Row[]
  /** Whether the list contains a row (default: all). */
  chooses?: (row: Row) => boolean
}

function listRows(call: Call, resource: Collection, filter: string | null, inside?: Inside): Reply {
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
  const matches = filter === null ? inside?.chooses : rowMatcher(call, resource, filter)
  const page = take(call, resource, rows, skip + limit + 1, matches)
  const shown = page.slice(skip, skip + limit)
  const uri = `${call.baseUrl}${inside?.path ?? resource.path}`
  const filterParameter = filter === null ? '' : `&filter=${encodeURIComponent(filter)}`
  const rest = `${picked?.query ?? ''}${filterParameter}`
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
function take(
  call: Call,
  resource: Collection,
  rows: Iterable<Row>,
  max: number,
  matches?: (row: Row) => boolean,
): Row[] {
  const taken: Row[] = []
  for (const row of rows) {
    if (!mayAccess(call, resource, row) || matches?.(row) === false) continue
    if (taken.push(row) === max) break
  }
  return taken
}

function rowMatcher(call: Call, resource: Collection, filter: string): (row: Row) => boolean {
  const why = whyTooLong(filter, call.tables.of(resource.table).size, 'record')
  if (why) fail(call.tables.catalog.filterError, { field: 'filter', why: `at its end: ${why}` })
  const matches = compile(call, resource, filter)
  return row => matches(presentRow(call, resource, row))
}

/** A mistake in a filter is an error of the API. */
function compile(call: Call, resource: Collection, filter: string) {
  try {
    return compileFilter(filter, filterFields(resource), filterTime(call))
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem
    fail(call.tables.catalog.filterError, problem.params as { field: string; why: string })
  }
}

/** Checks the query of every operation, although only lists have parameters. */
export function checkQuery(call: Call) {
  if (call.search === '') return
  const { kind, resource } = call.operation!
  const isList = kind === 'list' || kind === 'sublist'
  const picks = kind === 'list' ? Object.keys(resource.picks ?? {}) : []
  const filterable = kind === 'list' && resource.filterable !== undefined
  const filters = filterable && call.assumed(questions.list_filter) !== 'reject'
  const { parameters, aliases = [] } = call.api.pages
  const allowed = isList ? [...Object.keys(parameters), ...picks, ...(filters ? ['filter'] : [])] : []
  const known = isList ? [...allowed, ...aliases] : []
  for (const name of new Set(call.query.keys())) {
    if (!known.includes(name)) {
      const isFilter = name === 'filter' && filterable
      if (call.assume<string>(isFilter ? questions.list_filter : questions.unknown_query) === 'ignore') continue
      fail(errors.unknown_query, { field: shorten(name, 60), allowed, nearest: nearest(name, known) })
    }
    const count = call.query.getAll(name).length
    if (count > 1 && !picks.includes(name)) fail(errors.repeated_query, { field: name, count })
  }
}
