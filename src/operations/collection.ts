import { fail } from '../errors.ts'
import type { Call } from '../sandbox/index.ts'
import type { Collection, Row, RuleContext } from '../schema/index.ts'
import { isIdentifier, looksLikeIdentifier } from '../schema/index.ts'
import { hashToken, joinToken } from '../token.ts'
import { shorten } from '../words/flaw.ts'
import { nearest } from '../words/nearest.ts'
import { presentRow, presentText, type Reply } from './present.ts'
import { checkReferences, firstIds, readFields } from './validate.ts'

export function create(call: Call, resource: Collection): Reply {
  const given = readFields(call, resource.fields)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!field.required || given[name] !== undefined) continue
    call.assume('required_fields')
    const expected = field.shape.json.enum as string[] | undefined
    fail(field.required, {
      field: name,
      expected: expected ? `one of ${expected.join(', ')}` : 'given',
      received: 'nothing',
    })
  }
  const { row: own = {}, once } = resource.onCreate?.(given, contextOf(call, resource)) ?? {}
  const row: Record<string, unknown> = {
    ...own,
    id: call.sandbox.ids.id(resource.prefix, id => call.sandbox.tables.of(resource.table).placeOf(id) !== undefined),
    created_at: call.sandbox.clock.timestamp(),
  }
  for (const [name, field] of Object.entries(resource.fields)) {
    const value = own[name] ?? given[name] ?? field.default
    if (value !== undefined && !(field.omittedWhenEmpty && value === '')) row[name] = value
  }
  checkReferences(call, resource.fields, row)
  resource.check?.(row as Row, undefined, contextOf(call, resource))
  call.commit([{ table: resource.table, id: row.id as string, before: null, after: row as Row }])
  return { status: 201, body: presentRow(call, resource, row as Row, once) }
}

export function get(call: Call, resource: Collection): Reply {
  return { status: 200, text: presentText(call, resource, find(call, resource)) }
}

export function update(call: Call, resource: Collection): Reply {
  const asked = readFields(call, resource.fields)
  const before = find(call, resource)
  const given = resource.onUpdate?.(asked, contextOf(call, resource)) ?? asked
  checkReferences(call, resource.fields, given)
  const row: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(given)) {
    if (resource.fields[name]!.omittedWhenEmpty && value === '') delete row[name]
    else row[name] = value
  }
  resource.check?.(row as Row, before, contextOf(call, resource))
  if (JSON.stringify(row) !== JSON.stringify(before))
    call.commit([{ table: resource.table, id: before.id, before, after: row as Row }])
  return { status: 200, body: presentRow(call, resource, row as Row) }
}

/** `delete` is a reserved word. */
export function remove(call: Call, resource: Collection): Reply {
  const before = find(call, resource)
  call.commit([{ table: resource.table, id: before.id, before, after: null }])
  return { status: 204 }
}

/** The row that the path names, if the caller may access it. */
function find(call: Call, resource: Collection): Row {
  const id = call.params.id!
  const { prefix, label } = resource
  const row = call.tables.of(resource.table).get(id)
  if (!row && !isIdentifier(prefix, id)) {
    if (looksLikeIdentifier(id)) fail('wrong_prefix', { id, prefix, label })
    fail('bad_identifier', { id: shorten(id, 80), prefix })
  }
  if (!row) fail('not_found', { what: `${label} ${id}`, id, nearest: nearest(id, firstIds(call, resource.table)) })
  if (!mayHave(call, resource, row)) fail('not_your_key', { id, caller: call.caller.id })
  return row
}

/** Whether the caller may read and change the row. The assumption is asked for only if it belongs to somebody else. */
export function mayHave(call: Call, resource: Collection, row: Row): boolean {
  if (!resource.ownedBy || call.caller.admin || row[resource.ownedBy] === call.caller.id) return true
  return call.assume('other_owners_keys') === 'allow'
}

function contextOf(call: Call, resource: Collection): RuleContext {
  const { sandbox } = call
  return {
    caller: call.caller,
    assume: name => call.assume(name),
    fail,
    where: (field, value) => sandbox.tables.of(resource.table).where(field, value),
    // A key made inside a sandbox carries the sandbox's name: the token chooses where a call goes.
    newToken: () => {
      const secret = sandbox.ids.token()
      return { token: joinToken({ secret, name: sandbox.name }), sha256: hashToken(secret) }
    },
  }
}
