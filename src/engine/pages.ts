import type { Pages, Visit } from './api.ts'
import { fail } from './error.ts'
import { errors } from './errors.ts'

const MAX_PAGE_SIZE = 100

/** `?limit=10&offset=20`, in `{ "items": […], "total": 42 }`. */
export const offsetPages: Pages = {
  parameters: {
    limit: { schema: { type: 'integer', minimum: 0, default: MAX_PAGE_SIZE } },
    offset: { schema: { type: 'integer', minimum: 0, default: 0 } },
  },
  read: visit => ({
    limit: Math.min(MAX_PAGE_SIZE, numberIn(visit, 'limit') ?? MAX_PAGE_SIZE),
    skip: numberIn(visit, 'offset') ?? 0,
  }),
  envelope: (_visit, { kind, total }) => [`{"${kind.listAs}":[`, `],"total":${total}}`],
  schema: (listAs, items) => ({
    type: 'object',
    properties: { [listAs]: { type: 'array', items }, total: { type: 'integer' } },
    required: [listAs, 'total'],
    additionalProperties: false,
  }),
}

function numberIn({ query }: Visit, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text))
    fail(errors.bad_request, { why: `"${name}" must be a number, got ${JSON.stringify(text)}` })
  return Number(text)
}
