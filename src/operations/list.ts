import { fail } from '../errors.ts'
import type { Call } from '../sandbox/index.ts'
import { answered, type Collection, type Row } from '../schema/index.ts'
import { shorten } from '../words/flaw.ts'
import { nearest } from '../words/nearest.ts'
import type { compileFilter } from './filter.ts'
import { mayHave } from './find.ts'
import { presentRow, presentText, type Reply } from './present.ts'
import { firstIds } from './validate.ts'

const MOST = 100
const CURSORS = ['before_id', 'beforeId']

/** What the list needs to be loaded first: most lists are not filtered. */
export function prepareList(call: Call, resource: Collection): Promise<unknown> | undefined {
  if (compile || filterOf(call, resource) === null) return undefined
  return import('./filter.ts').then(({ compileFilter }) => {
    compile = compileFilter
  })
}

let compile: typeof compileFilter | undefined

function filterOf(call: Call, resource: Collection): string | null {
  const text = resource.filterable && call.search !== '' ? call.query.get('filter') : null
  return text && call.assume('list_filter') === 'apply' ? text : null
}

export function list(call: Call, resource: Collection): Reply {
  const limit = readLimit(call.query)
  const cursor = CURSORS.map(name => call.query.get(name)).find(Boolean)
  const table = call.tables.of(resource.table)
  const place = cursor ? table.placeOf(cursor) : undefined
  if (cursor && place === undefined) {
    const field = CURSORS.find(name => call.query.get(name) === cursor)!
    const received = shorten(cursor, 60)
    fail('bad_cursor', {
      field,
      received,
      label: resource.label,
      nearest: nearest(cursor, firstIds(call, resource.table)),
    })
  }
  const rows = call.assume('page_order') === 'newest_first' ? table.newestFirst(place) : table.oldestFirst(place)
  const filter = filterOf(call, resource)
  const chosen = filter === null ? rows : choose(call, resource, rows, filter)
  const items: string[] = []
  let last = ''
  let more = false
  for (const row of chosen) {
    if (!mayHave(call, resource, row)) continue
    if (items.length === limit) {
      more = true
      break
    }
    items.push(presentText(call, resource, row))
    last = row.id
  }
  const uri = `${call.baseUrl}${resource.path}`
  const kept = filter === null ? '' : `&filter=${encodeURIComponent(filter)}`
  const next = more ? `${uri}?before_id=${last}&limit=${limit}${kept}` : null
  const rest = `"uri":${JSON.stringify(uri)},"next_page_uri":${JSON.stringify(next)}`
  return { status: 200, text: `{"${resource.listAs}":[${items.join(',')}],${rest}}` }
}

/** How many rows are looked at together. */
const CHUNK = 200

/** The rows that a filter lets through. It sees a text that is not set as an empty one. */
function* choose(call: Call, resource: Collection, rows: Iterable<Row>, filter: string): Generator<Row> {
  const texts = Object.entries(resource.fields).filter(([, { omittedWhenEmpty }]) => omittedWhenEmpty)
  const blank = Object.fromEntries(texts.map(([name]) => [name, '']))
  const matching = compile!(filter, answered(resource))
  let waiting: Row[] = []
  const settle = () => {
    const chosen = matching(waiting.map(row => ({ ...blank, ...presentRow(call, resource, row) })))
    return waiting.filter((_, i) => chosen[i])
  }
  for (const row of rows) {
    if (waiting.push(row) < CHUNK) continue
    yield* settle()
    waiting = []
  }
  yield* settle()
}

/** docs/api.md 4: parameters are checked for every operation; only lists know any. */
export function checkQuery(call: Call) {
  if (call.search === '') return
  const { kind, resource } = call.operation!
  const known = kind === 'list' ? ['limit', ...CURSORS] : []
  const filterable = kind === 'list' && resource.filterable === true
  for (const name of new Set(call.query.keys())) {
    if (name === 'filter' && filterable) {
      if (call.assume('list_filter') === 'reject') fail('unknown_query', { field: name, allowed: known.slice(0, 2) })
    } else if (!known.includes(name)) {
      if (call.assume('unknown_query') === 'ignore') continue
      fail('unknown_query', { field: shorten(name, 60), allowed: known.slice(0, 2), nearest: nearest(name, known) })
    }
    const count = call.query.getAll(name).length
    if (count > 1) fail('repeated_query', { field: name, count })
  }
  const cursors = CURSORS.filter(name => call.query.get(name))
  if (known.length > 0 && cursors.length > 1) fail('repeated_query', { field: 'before_id', count: cursors.length })
}

function readLimit(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return MOST
  if (!/^[+-]?\d+$/.test(text)) fail('limit_not_a_number', { received: shorten(text, 60) })
  const limit = Number(text)
  if (limit < 1 || limit > MOST) fail('limit_out_of_range', { received: shorten(text, 60) })
  return limit
}
