import { Catalog, type Declarations } from './language/index.ts'
import { offsetPages } from './pages.ts'
import type { ServedApi } from './plugin.ts'

/** What an API declares. Functions that it leaves out have these defaults. */
export type ApiDeclaration = (Declarations | { catalog: Catalog }) &
  Pick<ServedApi, 'name'> &
  Partial<Omit<ServedApi, 'name' | 'catalog'>>

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const ERROR_SCHEMA = object({ error: object({ status: { type: 'integer' }, message: { type: 'string' } }) })

const ADMIN = { id: 'anyone', key_id: '', admin: true }

export function defineApi(declaration: ApiDeclaration): ServedApi {
  const catalog = 'catalog' in declaration ? declaration.catalog : new Catalog(declaration)
  const { operations } = catalog
  return {
    catalog,
    assumptions: {},
    firstOperation: (operations.find(({ kind }) => kind === 'list') ?? operations[0])?.id ?? '',
    openapi: { title: `${declaration.name}, simulated by edgesim`, error: ERROR_SCHEMA },
    identify: ({ headers }) => ({ token: sandboxNamed(headers['edgesim-sandbox']) }),
    authenticate: () => ({ caller: ADMIN, shown: null }),
    errorReply: ({ kind: { status }, message, headers }) => ({ status, body: { error: { status, message } }, headers }),
    bodyFields: ['items', 'total', 'error', 'unreadable'],
    pages: offsetPages,
    ...declaration,
  } as ServedApi
}

const sandboxNamed = (name: string | string[] | undefined) =>
  typeof name === 'string' ? { secret: '', name } : undefined
