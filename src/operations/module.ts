import { fail } from '../errors.ts'
import { kindOf } from '../resources/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Module, Row } from '../schema/index.ts'
import { isIdentifier, looksLikeIdentifier } from '../schema/index.ts'
import { shorten } from '../words/flaw.ts'
import { nearest } from '../words/nearest.ts'
import { presentModule, type Reply } from './present.ts'
import { checkReferences, firstIds, readFields } from './validate.ts'

type Values = Record<string, unknown>

export function replaceModule(call: Call, resource: Module): Reply {
  const given = readFields(call, resource.fields)
  const target = locate(call, resource)
  checkReferences(call, resource.fields, given)
  const values: Values = {}
  for (const [name, field] of Object.entries(resource.fields)) values[name] = given[name] ?? field.default
  target.write(values)
  return { status: 200, body: presentModule(call, resource, values) }
}

export function getModule(call: Call, resource: Module): Reply {
  const { values, id } = locate(call, resource)
  if (values) return { status: 200, body: presentModule(call, resource, values) }
  if (call.assume('absent_module') === 'not_found') fail('module_not_set', { label: resource.label, id })
  const defaults = Object.entries(resource.fields).map(([name, field]) => [name, field.default] as const)
  return { status: 200, body: presentModule(call, resource, { ...Object.fromEntries(defaults), enabled: false }) }
}

export function deleteModule(call: Call, resource: Module): Reply {
  const { values, id, write } = locate(call, resource)
  if (values) write(undefined)
  else if (call.assume('delete_absent_module') === 'not_found') fail('module_not_set', { label: resource.label, id })
  return { status: 204 }
}

interface Target {
  /** Of the edge or route that has the module. */
  id: string
  values: Values | undefined
  write(values: Values | undefined): void
}

/** The module the path names, in its record or in a part of it. */
function locate(call: Call, resource: Module): Target {
  const { table, part, key } = resource.of
  const row = findRecord(call, resource)
  const commit = (after: Values) => call.commit([{ table, id: row.id, before: row, after: after as Row }])
  if (!part) return { id: row.id, values: row[key] as Values, write: values => commit(withKey(row, key, values)) }
  const parts = row[part] as Row[]
  const inner = findPart(call, resource, row, parts)
  return {
    id: inner.id,
    values: inner[key] as Values,
    write: values => {
      const next = parts.map(item => (item === inner ? withKey(inner, key, values) : item))
      commit({ ...row, [part]: next })
    },
  }
}

function withKey(row: Row, key: string, values: Values | undefined): Values {
  const { [key]: _old, ...rest } = row
  return values ? { ...rest, [key]: values } : rest
}

function findRecord(call: Call, resource: Module): Row {
  const { prefix, label } = kindOf(resource.of.table)
  const id = call.params[resource.params.record]!
  if (!isIdentifier(prefix, id)) fail(resource.errors.badId, { id: shorten(id, 80), label, prefix })
  const row = call.tables.of(resource.of.table).get(id)
  if (!row) {
    const close = nearest(id, firstIds(call, resource.of.table))
    fail(resource.errors.missing, { id, label, nearest: close })
  }
  return row
}

function findPart(call: Call, resource: Module, row: Row, parts: Row[]): Row {
  const list = resource.of.part!
  const { prefix, label } = kindOf(resource.of.table).parts![list]!
  const id = call.params[resource.params.part!]!
  if (!isIdentifier(prefix, id)) {
    if (looksLikeIdentifier(id)) fail('wrong_prefix', { id, prefix, label })
    fail('bad_identifier', { id: shorten(id, 80), prefix })
  }
  const found = parts.find(item => item.id === id)
  if (found) return found
  for (const other of call.tables.of(resource.of.table).newestFirst()) {
    if ((other[list] as Row[]).some(item => item.id === id))
      fail(resource.errors.partElsewhere!, { id, edge: row.id, owner: other.id })
  }
  const close = nearest(
    id,
    parts.map(item => item.id),
  )
  fail(resource.errors.partMissing!, { id, edge: row.id, nearest: close })
}
