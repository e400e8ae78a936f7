import * as z from 'zod'
import { nearest } from '../../basics/nearest.ts'
import { listed } from '../../basics/problem.ts'
import { runYielding } from '../../basics/slices.ts'
import { fail } from '../../contract/errors.ts'
import { fieldsOf, nestOne } from '../../fixtures/index.ts'
import type { JsonAnswer } from '../../http/json-answer.ts'
import { newestIds } from '../../operations/find.ts'
import { ipPolicies, kindOf, partsOf, tableNames } from '../../resources/index.ts'
import type { Sandbox } from '../../sandbox/index.ts'
import type { Collection, RecordKind, Row } from '../../schema/index.ts'
import { diffRows, type Op, referrersOf, viewOf } from '../../state/index.ts'
import { checkRecord } from '../records/check-record.ts'
import { type ControlRoute, changes, created, destroys, done, ok, reads, route } from '../route.ts'

const COLLECTIONS = `a table: ${tableNames.join(', ')}`

const anyRecord = z.record(z.string(), z.unknown())

/** Raw records: read with json-server's query language, written in the format of a fixture. A write is one change. */
export const recordRoutes: ControlRoute[] = [
  {
    method: 'get',
    path: '/db/{collection}',
    summary: 'Raw records, filtered, sorted and paged in the query language of json-server',
    query: {
      _sort: 'field, or -field',
      _page: 'a page number',
      _per_page: 'records a page',
      _where: 'a filter as JSON',
    },
    params: { collection: COLLECTIONS },
    answers: [200],
    tools: [
      reads(
        'list_records',
        'Use it to see what is stored, also where the API shows less or has no route.',
        '{items record}.',
      ),
    ],
    async run({ sandbox, params, query }) {
      const { table } = kindOfTable(params.collection!)
      const { findRecords } = await import('../records/record-query.ts')
      return ok(await runYielding(findRecords(recordsOf(sandbox, table), query, fieldsOf(table))))
    },
  },
  {
    method: 'get',
    path: '/db/{collection}/{id}',
    summary: 'One raw record',
    params: { collection: COLLECTIONS },
    answers: [200],
    tools: [reads('get_record', 'Use it to see one record as it is stored.', 'The record {id}.')],
    run: ({ sandbox, params }) => ok(existing(sandbox, kindOfTable(params.collection!), params.id!)),
  },
  route({
    method: 'post',
    path: '/db/{collection}',
    summary: 'Add a record; without an id it is given one',
    body: anyRecord,
    params: { collection: COLLECTIONS },
    answers: [201],
    tools: [
      changes('add_record', 'Use it to set up what the API cannot make, such as users and bots.', 'Added {id}.', {
        body: 'record',
      }),
    ],
    run({ sandbox, params, body }) {
      const kind = kindOfTable(params.collection!)
      const taken = (id: string) => sandbox.tables.of(kind.table).orderOf(id) !== undefined
      const id = body.id ?? sandbox.ids.id(kind.prefix, taken)
      if (typeof id === 'string' && sandbox.tables.of(kind.table).get(id))
        fail('conflict', { why: `The ${kind.label} ${id} already exists; PUT replaces it, PATCH changes it` })
      return created(write(sandbox, kind, { ...body, id }))
    },
  }),
  route({
    method: 'put',
    path: '/db/{collection}/{id}',
    summary: 'Add or replace a record',
    body: anyRecord,
    answers: [200, 201],
    run({ sandbox, params, body }): JsonAnswer {
      const kind = kindOfTable(params.collection!)
      const before = sandbox.tables.of(kind.table).get(params.id!)
      const kept = before?.created_at && body.created_at === undefined ? { created_at: before.created_at } : {}
      return { status: before ? 200 : 201, body: write(sandbox, kind, { ...kept, ...body, id: params.id }) }
    },
  }),
  route({
    method: 'patch',
    path: '/db/{collection}/{id}',
    summary: 'Change fields of a record; null takes one away',
    body: anyRecord,
    params: { collection: COLLECTIONS },
    answers: [200],
    tools: [
      destroys('change_record', 'Use it to set up a record that the API would not let you have so.', 'Changed {id}.', {
        body: 'fields',
      }),
    ],
    run({ sandbox, params, body }) {
      const kind = kindOfTable(params.collection!)
      const merged = { ...existing(sandbox, kind, params.id!), ...body, id: params.id }
      const left = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
      return ok(write(sandbox, kind, left))
    },
  }),
  {
    method: 'delete',
    path: '/db/{collection}/{id}',
    summary: 'Remove a record that no other refers to',
    params: { collection: COLLECTIONS },
    answers: [204],
    tools: [destroys('delete_record', 'Use it to delete a record without a call of your code.', 'It is removed.')],
    run({ sandbox, params }) {
      const { table, label } = kindOfTable(params.collection!)
      const { id } = existing(sandbox, kindOf(table), params.id!)
      const unchecked = table === ipPolicies.table && mayDangle(sandbox)
      const users = unchecked ? [] : referrersOf(table, id, viewOf(sandbox.tables))
      if (users.length > 0) {
        const named = users.slice(0, 5).map(({ row }) => row.id)
        fail('conflict', { why: `The ${label} ${id} is used by ${named.join(', ')}; change those first` })
      }
      const parts = partsOf(table).flatMap(part => replaceParts(sandbox, part.table, id, []))
      sandbox.commit({ kind: 'record', id }, [...parts, put(sandbox, table, id, null)])
      return done
    },
  },
]

function kindOfTable(name: string): RecordKind {
  if (tableNames.includes(name)) return kindOf(name)
  const exists = `There are: ${tableNames.join(', ')}.`
  fail('not_found', { what: `collection "${name}"`, nearest: nearest(name, tableNames), exists })
}

function existing(sandbox: Sandbox, kind: RecordKind, id: string): Row {
  const row = sandbox.tables.of(kind.table).get(id)
  if (row) return nestOne(kind.table, row, sandbox.tables)
  fail('not_found', { what: `${kind.label} ${id}`, id, nearest: nearest(id, newestIds(sandbox.tables, kind.table)) })
}

function write(sandbox: Sandbox, kind: RecordKind, value: unknown): Row {
  const { tables, clock } = sandbox
  const checked = checkRecord(kind, value, viewOf(tables), { now: clock.now(), dangling: mayDangle(sandbox) })
  if (Array.isArray(checked))
    fail('bad_request', { why: `The record is not valid, and nothing was changed: ${listed(checked, why => why)}` })
  const { row, parts } = checked
  const ops = parts.flatMap(({ table, rows }) => replaceParts(sandbox, table, row.id, rows))
  sandbox.commit({ kind: 'record', id: row.id }, [put(sandbox, kind.table, row.id, row), ...ops])
  return nestOne(kind.table, row, sandbox.tables)
}

const put = ({ tables }: Sandbox, table: string, id: string, after: Row | null): Op => ({
  table,
  id,
  before: tables.of(table).get(id) ?? null,
  after,
})

/** The changes that make these rows the parts of a record. */
function replaceParts({ tables }: Sandbox, table: string, record: string, rows: Row[]): Op[] {
  const { partOf } = kindOf(table) as Collection
  return diffRows(table, tables.of(table).where(partOf!.by, record), rows)
}

/** All records of a table, in the format of a fixture. */
const recordsOf = ({ tables }: Sandbox, table: string): Row[] =>
  Array.from(tables.of(table).oldestFirst(), row => (partsOf(table).length > 0 ? nestOne(table, row, tables) : row))

/** Whether policies that do not exist may be named. */
const mayDangle = (sandbox: Sandbox) => sandbox.assumed.unknown_reference === 'accept'
