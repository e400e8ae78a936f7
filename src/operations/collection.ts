import { fail } from '../contract/errors.ts'
import { hashToken, joinToken } from '../contract/token.ts'
import { partsOf } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import {
  type Collection,
  type Row,
  type RuleContext,
  type UsedError,
  withDefaults,
  withoutReference,
} from '../schema/index.ts'
import { diffRows, duplicateOf, type Op, type Referrer, referrersOf, viewOf } from '../state/index.ts'
import { find, findParent } from './find.ts'
import { presentRow, type Reply, textPresenter } from './present.ts'
import { checkModules, checkNotEmpty, checkReferences, readFields } from './validate.ts'

export function create(call: Call, resource: Collection): Reply {
  const given = readFields(call, resource.fields)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.required || given[name] !== undefined) continue
    if (!resource.neighbour) call.assume('required_fields')
    const expected = field.shape.json.enum as string[] | undefined
    fail(field.required, {
      field: name,
      expected: expected ? `one of ${expected.join(', ')}` : 'given',
      received: 'nothing',
    })
  }
  const parent = findParent(call, resource)
  if (parent) given[resource.partOf!.by] = parent.id
  const id = call.sandbox.ids.id(resource.prefix, id => call.tables.of(resource.table).orderOf(id) !== undefined)
  const { row: own = {}, once } = resource.onCreate?.(given, ruleContext(call, resource), id) ?? {}
  const row = {
    ...own,
    id,
    created_at: call.sandbox.clock.timestamp(),
    ...withDefaults(resource.fields, { ...given, ...own }),
  } as Row
  checkReferences(call, resource.fields, row)
  checkNotEmpty(call, resource.fields, row, '')
  checkModules(call, resource.table, given)
  checkRow(call, resource, row, undefined)
  call.commit([{ table: resource.table, id: row.id, before: null, after: row }])
  return { status: 201, body: presentRow(call, resource, row, once) }
}

export function get(call: Call, resource: Collection): Reply {
  return { status: 200, text: textPresenter(call, resource)(find(call, resource)) }
}

export function update(call: Call, resource: Collection): Reply {
  const asked = readFields(call, resource.fields)
  const before = find(call, resource)
  checkGiven(call, resource, asked)
  const given = resource.onUpdate?.(asked, ruleContext(call, resource)) ?? asked
  checkReferences(call, resource.fields, given)
  checkModules(call, resource.table, given)
  const changed: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(given)) {
    if (resource.fields[name]!.omittedWhenEmpty && value === '') delete changed[name]
    else changed[name] = value
  }
  const row = changed as Row
  checkRow(call, resource, row, before)
  if (JSON.stringify(row) !== JSON.stringify(before))
    call.commit([{ table: resource.table, id: before.id, before, after: row }])
  return { status: 200, body: presentRow(call, resource, row) }
}

/** Some updates must give a value: docs/api.md 10.1, 10.2. */
function checkGiven(call: Call, { errors, fields, label }: Collection, given: Record<string, unknown>) {
  if (!errors?.noValues || Object.keys(given).length > 0 || call.assume('empty_update') === 'accept') return
  const allowed = Object.keys(fields).filter(name => !fields[name]!.createOnly)
  fail(errors.noValues, { id: call.params.id!, label, allowed })
}

/** Deletes the record and its parts in one change. (`delete` is a reserved word.) */
export function remove(call: Call, resource: Collection): Reply {
  const { table } = resource
  const before = find(call, resource)
  resource.checkDelete?.(before, ruleContext(call, resource))
  const { tables } = call.sandbox
  const parts = partsOf(table).flatMap(part =>
    diffRows(part.table, tables.of(part.table).where(part.partOf!.by, before.id), []),
  )
  call.commit([...dropReferences(call, resource, before.id), ...parts, { table, id: before.id, before, after: null }])
  return { status: 204 }
}

/** Fails if other records refer to this one, or removes or leaves those references: `delete_referenced` decides. */
function dropReferences(call: Call, { table, label }: Collection, id: string): Op[] {
  const referrers = referrersOf(table, id, viewOf(call.sandbox.tables))
  if (referrers.length === 0) return []
  const mode = call.assume('delete_referenced')
  const errorOf = ({ field }: Referrer) => (mode === 'documented' && field.refersTo!.whenDeleted) || 'still_used'
  const blocking = mode === 'detach' ? [] : referrers.filter(each => errorOf(each) !== 'dangle')
  if (blocking.length > 0) {
    const error = errorOf(blocking[0]!) as UsedError
    const users = blocking.slice(0, 5).map(({ row }) => row.id)
    fail(error, { id, label, users, more: blocking.length - users.length })
  }
  if (mode !== 'detach') return []
  return referrers.map(({ kind, row }) => {
    const after = withoutReference(kind.fields, row, table, id) as Row
    return { table: kind.table, id: row.id, before: row, after }
  })
}

function checkRow(call: Call, resource: Collection, row: Row, before: Row | undefined) {
  resource.check?.(row, before, ruleContext(call, resource))
  checkUnique(call, resource, row, before)
  const twin = duplicateOf(resource, row, viewOf(call.sandbox.tables))
  if (!twin) return
  const { fields, error } = resource.partOf!.distinct!
  fail(error, { field: fields.at(-1)!, values: twin.values, existing: twin.id })
}

function checkUnique(call: Call, { unique }: Collection, row: Row, before: Row | undefined) {
  if (!unique || row[unique.field] === before?.[unique.field]) return
  const { field, among, error, except } = unique
  for (const value of [row[field] ?? []].flat() as string[]) {
    if (except?.(value)) continue
    const holders = among.flatMap(table => call.tables.of(table).where(field, value))
    const other = holders.find(({ id }) => id !== row.id)
    if (other) fail(error, { field, value, existing: other.id })
  }
}

function ruleContext(call: Call, resource: Collection): RuleContext {
  const { sandbox } = call
  const { tables } = sandbox
  return {
    caller: call.caller,
    assume: name => call.assume(name),
    fail,
    where: (field, value, table = resource.table) => tables.of(table).where(field, value),
    // The token of a new key includes the sandbox's name, because the token selects the sandbox.
    newToken: id => {
      const secret = sandbox.ids.token(
        id,
        token => tables.of(resource.table).first('token_sha256', hashToken(token)) !== undefined,
      )
      return { token: joinToken({ secret, name: sandbox.name }), sha256: hashToken(secret) }
    },
  }
}
