import { fail } from '../contract/errors.ts'
import type { Pages, Visit } from './api.ts'

const MAX_PAGE_SIZE = 100

/** `?limit=10&offset=20`, in `{ "items": […], "total": 42 }`. */
export const offsetPages: Pages = {
  parameters: ['limit', 'offset'],
  read: visit => ({
    limit: Math.min(MAX_PAGE_SIZE, numberIn(visit, 'limit') ?? MAX_PAGE_SIZE),
    skip: numberIn(visit, 'offset') ?? 0,
  }),
  envelope: (_visit, { total }) => ['{"items":[', `],"total":${total}}`],
}

function numberIn({ query }: Visit, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{1,9}$/.test(text)) fail('bad_request', { why: `"${name}" must be a number, got ${JSON.stringify(text)}` })
  return Number(text)
}
