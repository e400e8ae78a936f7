import type { Reply } from '../api.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import { type Module, type Row, withDefaults } from '../language/index.ts'
import { questions } from '../questions.ts'
import type { Call } from '../sandbox/index.ts'
import { ruleContext } from './collection.ts'
import { find } from './find.ts'
import { presentValues } from './present.ts'
import { checkModule, checkReferences, checkRequired, readFields } from './validate.ts'

type Values = Record<string, unknown>

export function replaceModule(call: Call, resource: Module): Reply {
  const given = readFields(call, resource.fields)
  checkRequired(call, resource.fields, given)
  const values = withDefaults(resource.fields, given)
  const holder = call.tables.catalog.holderOf(resource)
  const row = find(call, holder)
  checkModule(call, resource, values, '')
  checkReferences(call, resource.fields, values)
  holder.check?.({ ...row, [resource.of.key]: values }, row, ruleContext(call, holder))
  write(call, resource, row, values)
  return { status: 200, body: presentValues(call, resource, values, row) }
}

export function getModule(call: Call, resource: Module): Reply {
  const row = find(call, call.tables.catalog.holderOf(resource))
  const values = row[resource.of.key] as Values | undefined
  if (values) return { status: 200, body: presentValues(call, resource, values, row) }
  if (call.assume(questions.absent_module) === 'not_found')
    fail(errors.module_not_set, { label: resource.label, id: row.id })
  return {
    status: 200,
    body: presentValues(call, resource, { ...withDefaults(resource.fields, {}), enabled: false }, row),
  }
}

export function deleteModule(call: Call, resource: Module): Reply {
  const row = find(call, call.tables.catalog.holderOf(resource))
  if (row[resource.of.key]) write(call, resource, row, undefined)
  else if (call.assume(questions.delete_absent_module) === 'not_found')
    fail(errors.module_not_set, { label: resource.label, id: row.id })
  return { status: 204 }
}

function write(call: Call, { of: { table, key } }: Module, before: Row, values: Values | undefined) {
  const { [key]: _old, ...rest } = before
  const after = (values ? { ...rest, [key]: values } : rest) as Row
  call.commit([{ table, id: before.id, before, after }])
}
