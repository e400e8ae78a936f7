import { fail } from '../errors.ts'
import type { Call } from '../sandbox/index.ts'
import type { Collection } from '../schema/index.ts'
import { shorten } from '../words/flaw.ts'
import { nearest } from '../words/nearest.ts'
import { mayHave } from './collection.ts'
import { presentText, type Reply } from './present.ts'
import { firstIds } from './validate.ts'

const MOST = 100
const CURSORS = ['before_id', 'beforeId']

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
  const items: string[] = []
  let last = ''
  let more = false
  for (const row of rows) {
    if (!mayHave(call, resource, row)) continue
    if (items.length === limit) {
      more = true
      break
    }
    items.push(presentText(call, resource, row))
    last = row.id
  }
  const uri = `${call.baseUrl}${resource.path}`
  const next = more ? `${uri}?before_id=${last}&limit=${limit}` : null
  const rest = `"uri":${JSON.stringify(uri)},"next_page_uri":${JSON.stringify(next)}`
  return { status: 200, text: `{"${resource.listAs}":[${items.join(',')}],${rest}}` }
}

/** docs/api.md 4: parameters are checked for every operation; only lists know any. */
export function checkQuery(call: Call) {
  if (call.search === '') return
  const known = call.operation!.kind === 'list' ? ['limit', ...CURSORS] : []
  for (const name of new Set(call.query.keys())) {
    if (!known.includes(name)) {
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
