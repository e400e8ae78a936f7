import { nearest } from '../../basics/nearest.ts'
import { anyObject } from '../../basics/shape.ts'
import { fail } from '../../engine/error.ts'
import { errors } from '../../engine/errors.ts'
import { fieldsOf, nestOne } from '../../engine/fixtures/index.ts'
import type { Collection, RecordKind, Row } from '../../engine/language/index.ts'
import { newestIds } from '../../engine/operations/find.ts'
import type { Sandbox } from '../../engine/sandbox/index.ts'
import { diffRows, type Op, referrersOf } from '../../engine/state/index.ts'
import { checkRecord, mayDangle } from '../records/check-record.ts'
import { del, get, patch, post, put, Reply, type Route } from '../route.ts'

/** Raw records: read with json-server's query language, written in the fixture format. A write is one change. */
export const recordRoutes: Route[] = [
  get('/db', 'Count the records of each table', {
    run: ({ sandbox }) =>
      Object.fromEntries(sandbox.tables.catalog.tableNames.map(name => [name, sandbox.tables.of(name).size])),
  }),
  get('/db/{collection}', 'List raw records, with json-server queries', {
    query: {
      _sort: 'Field, or -field to sort descending',
      _page: 'Page number',
      _per_page: 'Records per page',
      _where: 'Filter as JSON',
    },
    async run({ sandbox, params, query }) {
      const { table } = kindOfTable(sandbox, params.collection!)
      const { findRecords } = await import('../records/record-query.ts')
      return findRecords(recordsOf(sandbox, table), query, fieldsOf(sandbox.tables.catalog, table))
    },
  }),
  get('/db/{collection}/{id}', 'Get a raw record', {
    run: ({ sandbox, params }) => existing(sandbox, kindOfTable(sandbox, params.collection!), params.id!),
  }),
  post('/db/{collection}', 'Add a record, with a generated id if it has none', {
    body: anyObject,
    statuses: [201],
    run({ sandbox, params, body }) {
      const kind = kindOfTable(sandbox, params.collection!)
      const taken = (id: string) => sandbox.tables.of(kind.table).orderOf(id) !== undefined
      const id = body.id ?? sandbox.tables.catalog.ids.make(sandbox.ids, kind, taken)
      if (typeof id === 'string' && sandbox.tables.get(kind.table, id))
        fail(errors.conflict, {
          why: `The ${kind.label} ${id} already exists. Use PUT to replace it, or PATCH to change it`,
        })
      return write(sandbox, kind, { ...body, id })
    },
  }),
  put('/db/{collection}/{id}', 'Add or replace a record', {
    body: anyObject,
    statuses: [200, 201],
    run({ sandbox, params, body }) {
      const kind = kindOfTable(sandbox, params.collection!)
      const before = sandbox.tables.get(kind.table, params.id!)
      const preserved = before?.created_at && body.created_at === undefined ? { created_at: before.created_at } : {}
      return new Reply(before ? 200 : 201, write(sandbox, kind, { ...preserved, ...body, id: params.id }))
    },
  }),
  patch('/db/{collection}/{id}', 'Change fields of a record (null removes a field)', {
    body: anyObject,
    run({ sandbox, params, body }) {
      const kind = kindOfTable(sandbox, params.collection!)
      const merged = { ...existing(sandbox, kind, params.id!), ...body, id: params.id }
      const remaining = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
      return write(sandbox, kind, remaining)
    },
  }),
  del('/db/{collection}/{id}', 'Delete an unreferenced record', {
    statuses: [204],
    run({ sandbox, params }) {
      const { table, label } = kindOfTable(sandbox, params.collection!)
      const { id } = existing(sandbox, sandbox.tables.catalog.kindOf(table), params.id!)
      const referrers = referrersOf(table, id, sandbox.tables)
      const users = mayDangle(sandbox) ? referrers.filter(({ field }) => field.shape.json.type !== 'array') : referrers
      if (users.length > 0) {
        const named = users.slice(0, 5).map(({ row }) => row.id)
        fail(errors.conflict, { why: `The ${label} ${id} is used by ${named.join(', ')}. Change them first` })
      }
      const parts = sandbox.tables.catalog.partsOf(table).flatMap(part => replaceParts(sandbox, part.table, id, []))
      sandbox.commit({ kind: 'record', id }, [...parts, opFor(sandbox, table, id, null)])
    },
  }),
]

function kindOfTable({ tables: { catalog } }: Sandbox, name: string): RecordKind {
  const { tableNames } = catalog
  if (tableNames.includes(name)) return catalog.kindOf(name)
  const exists = `Known: ${tableNames.join(', ')}.`
  fail(errors.not_found, { what: `collection "${name}"`, nearest: nearest(name, tableNames), exists })
}

function existing(sandbox: Sandbox, kind: RecordKind, id: string): Row {
  const row = sandbox.tables.get(kind.table, id)
  if (row) return nestOne(kind.table, row, sandbox.tables)
  fail(errors.not_found, {
    what: `${kind.label} ${id}`,
    id,
    nearest: nearest(id, newestIds(sandbox.tables, kind.table)),
  })
}

function write(sandbox: Sandbox, kind: RecordKind, value: unknown): Row {
  const { row, parts } = checkRecord(sandbox, kind, value)
  const ops = parts.flatMap(({ table, rows }) => replaceParts(sandbox, table, row.id, rows))
  sandbox.commit({ kind: 'record', id: row.id }, [opFor(sandbox, kind.table, row.id, row), ...ops])
  return nestOne(kind.table, row, sandbox.tables)
}

function opFor({ tables }: Sandbox, table: string, id: string, after: Row | null): Op {
  return { table, id, before: tables.get(table, id) ?? null, after }
}

/** The ops that replace the parts of a record. */
function replaceParts({ tables }: Sandbox, table: string, record: string, rows: Row[]): Op[] {
  const { partOf } = tables.catalog.kindOf(table) as Collection
  return diffRows(table, tables.where(table, partOf!.by, record), rows)
}

/** All records of a table, in the fixture format. */
const recordsOf = ({ tables }: Sandbox, table: string): Row[] =>
  Array.from(tables.all(table), row => (tables.catalog.partsOf(table).length > 0 ? nestOne(table, row, tables) : row))
