import { nearest } from '../basics/nearest.ts'
import { shorten } from '../basics/problem.ts'
import type { Pages } from '../engine/api.ts'
import { fail } from '../engine/error.ts'
import { newestIds } from '../engine/operations/find.ts'
import { errors } from './errors.ts'

export const MAX_PAGE_SIZE = 100
const CURSORS = ['before_id', 'beforeId']

/** docs/api.md 4: a limit, and the id of the last item of the previous page. */
export const cursorPages: Pages = {
  parameters: {
    limit: { schema: { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: MAX_PAGE_SIZE } },
    before_id: { description: 'Id of the last item on the previous page', schema: { type: 'string' }, isItem: true },
  },
  aliases: CURSORS,
  read({ query, tables }, { table: name, label }) {
    const limit = readLimit(query)
    const given = CURSORS.filter(name => query.get(name))
    if (given.length > 1) fail(errors.repeated_query, { field: 'before_id', count: given.length })
    const [field] = given
    if (field === undefined) return { limit }
    const cursor = query.get(field)!
    const after = tables.of(name).orderOf(cursor)
    if (after !== undefined) return { limit, after }
    const received = shorten(cursor, 60)
    fail(errors.bad_cursor, { field, received, label, nearest: nearest(cursor, newestIds(tables, name)) })
  },
  envelope(_visit, { kind, uri, page, shown, hasMore, rest }) {
    const next = hasMore ? `${uri}?before_id=${shown.at(-1)!.id}&limit=${page.limit}${rest}` : null
    return [`{"${kind.listAs}":[`, `],"uri":${JSON.stringify(uri)},"next_page_uri":${JSON.stringify(next)}}`]
  },
  schema: (listAs, items) => ({
    type: 'object',
    properties: {
      [listAs]: { type: 'array', items },
      uri: { type: 'string', format: 'uri' },
      next_page_uri: { type: ['string', 'null'], format: 'uri' },
    },
    required: [listAs, 'uri', 'next_page_uri'],
    additionalProperties: false,
  }),
}

function readLimit(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return MAX_PAGE_SIZE
  if (!/^[+-]?\d+$/.test(text)) fail(errors.limit_not_a_number, { received: shorten(text, 60) })
  const limit = Number(text)
  if (limit < 1 || limit > MAX_PAGE_SIZE) fail(errors.limit_out_of_range, { received: shorten(text, 60) })
  return limit
}
