import { nearest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import { runSync, runYielding, type Steps } from '../basics/slices.ts'
import { fail } from '../contract/errors.ts'
import type { Call } from '../sandbox/index.ts'
import type { Collection, Row } from '../schema/index.ts'
import { compileFilter } from './filter.ts'
import { filterMembers } from './filter-members.ts'
import { mayAccess, newestIds } from './find.ts'
import { presentRow, type Reply, textPresenter } from './present.ts'

export const MAX_PAGE_SIZE = 100
const CURSORS = ['before_id', 'beforeId']

/** The filter of a list; null for other calls, and where it is assumed to have no effect. */
export function filterOf(call: Call): string | null {
  const { kind, resource } = call.operation!
  const text = call.search !== '' && kind === 'list' && resource.filterable ? call.query.get('filter') : null
  return text && call.assume('list_filter') === 'documented' ? text : null
}

export const list = (call: Call, resource: Collection): Reply => runSync(listSteps(call, resource, null))

/** Filtering may take long, so it runs in slices, on the present state. */
export async function filteredList(call: Call, filter: string): Promise<Reply> {
  checkQuery(call)
  call.readFrom(call.tables)
  const reply = await runYielding(listSteps(call, call.operation!.resource as Collection, filter))
  call.failIfReset()
  return reply
}

function* listSteps(call: Call, resource: Collection, filter: string | null): Steps<Reply> {
  const limit = readLimit(call.query)
  const cursor = CURSORS.map(name => call.query.get(name)).find(Boolean)
  const table = call.tables.of(resource.table)
  const order = cursor ? table.orderOf(cursor) : undefined
  if (cursor && order === undefined) {
    const field = CURSORS.find(name => call.query.get(name) === cursor)!
    const received = shorten(cursor, 60)
    fail('bad_cursor', {
      field,
      received,
      label: resource.label,
      nearest: nearest(cursor, newestIds(call.tables, resource.table)),
    })
  }
  const rows = call.assume('page_order') === 'newest_first' ? table.newestFirst(order) : table.oldestFirst(order)
  const matches = filter === null ? undefined : rowMatcher(call, resource, filter)
  const page = yield* take(call, resource, rows, limit + 1, matches)
  const shown = page.slice(0, limit)
  const items = shown.map(textPresenter(call, resource))
  const uri = `${call.baseUrl}${resource.path}`
  const filterParameter = filter === null ? '' : `&filter=${encodeURIComponent(filter)}`
  const next = page.length > limit ? `${uri}?before_id=${shown.at(-1)!.id}&limit=${limit}${filterParameter}` : null
  const rest = `"uri":${JSON.stringify(uri)},"next_page_uri":${JSON.stringify(next)}`
  return { status: 200, text: `{"${resource.listAs}":[${items.join(',')}],${rest}}` }
}

/** Returns the first rows that the caller may access and the filter matches. */
function* take(
  call: Call,
  resource: Collection,
  rows: Iterable<Row>,
  max: number,
  matches?: (row: Row) => boolean,
): Steps<Row[]> {
  const taken: Row[] = []
  for (const row of rows) {
    if (matches) yield
    if (!mayAccess(call, resource, row) || matches?.(row) === false) continue
    if (taken.push(row) === max) break
  }
  return taken
}

function rowMatcher(call: Call, resource: Collection, filter: string): (row: Row) => boolean {
  const { clock } = call.sandbox
  const matches = compileFilter(filter, filterMembers(resource), () => {
    call.clockPlayedAPart ||= clock.frozen
    return clock.timestamp()
  })
  return row => matches(presentRow(call, resource, row))
}

/** Checks the query of every operation, though only lists have parameters. docs/api.md 4. */
export function checkQuery(call: Call) {
  if (call.search === '') return
  const { kind, resource } = call.operation!
  const filterable = kind === 'list' && resource.filterable !== undefined
  const filters = filterable && call.assumed('list_filter') !== 'reject'
  const allowed = kind === 'list' ? ['limit', CURSORS[0]!, ...(filters ? ['filter'] : [])] : []
  const known = kind === 'list' ? [...allowed, ...CURSORS] : []
  for (const name of new Set(call.query.keys())) {
    if (!known.includes(name)) {
      const assumption = name === 'filter' && filterable ? 'list_filter' : 'unknown_query'
      if (call.assume(assumption) === 'ignore') continue
      fail('unknown_query', { field: shorten(name, 60), allowed, nearest: nearest(name, known) })
    }
    const count = call.query.getAll(name).length
    if (count > 1) fail('repeated_query', { field: name, count })
  }
  const cursors = CURSORS.filter(name => call.query.get(name))
  if (known.length > 0 && cursors.length > 1) fail('repeated_query', { field: 'before_id', count: cursors.length })
}

function readLimit(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return MAX_PAGE_SIZE
  if (!/^[+-]?\d+$/.test(text)) fail('limit_not_a_number', { received: shorten(text, 60) })
  const limit = Number(text)
  if (limit < 1 || limit > MAX_PAGE_SIZE) fail('limit_out_of_range', { received: shorten(text, 60) })
  return limit
}
