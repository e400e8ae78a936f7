import { fail } from '../errors.ts'
import type { Call } from '../sandbox/index.ts'
import type { Field, Fields } from '../schema/index.ts'
import { formatPath, shorten } from '../words/flaw.ts'
import { nearest } from '../words/nearest.ts'

/** The checked fields of a request. `null` counts as not given; names of path parameters are ignored. */
export function readFields(call: Call, fields: Fields): Record<string, unknown> {
  const { kind, id, resource } = call.operation!
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(unwrap(call))) {
    if (value === null || Object.hasOwn(call.params, name)) continue
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const fixed = field?.createOnly && kind === 'update'
    if (!field || fixed) {
      if (call.assume('unknown_field') === 'ignore') continue
      const allowed = Object.keys(fields).filter(known => !(kind === 'update' && fields[known]!.createOnly))
      const why = fixed ? `it is set when the ${resource.label} is created and stays` : undefined
      fail('unknown_field', { field: shorten(name, 60), operation: id, allowed, nearest: nearest(name, allowed), why })
    }
    checkValue(name, field, value)
    given[name] = field.refersTo && Array.isArray(value) ? [...new Set(value)] : value
  }
  return given
}

/** One client sends a module's fields inside `module`, beside the ids of the path. */
function unwrap(call: Call): Record<string, unknown> {
  const { module, ...rest } = call.body
  if (
    call.operation!.kind !== 'replace_module' ||
    typeof module !== 'object' ||
    module === null ||
    Array.isArray(module)
  )
    return call.body
  return { ...rest, ...module }
}

function checkValue(name: string, field: Field, value: unknown) {
  const flaw = field.shape.find(value)?.[0]
  if (!flaw) return
  fail(flaw.error ?? 'invalid_value', {
    field: formatPath([name, ...flaw.path]),
    expected: flaw.expected,
    received: flaw.received,
  })
}

/** Every record that is referred to must exist, unless assumed otherwise. */
export function checkReferences(call: Call, fields: Fields, given: Record<string, unknown>) {
  for (const [name, value] of Object.entries(given)) {
    const refersTo = fields[name]?.refersTo
    if (!refersTo) continue
    const { tables } = call
    for (const id of Array.isArray(value) ? value : [value]) {
      if (refersTo.tables.some(table => tables.of(table).get(id))) continue
      if (Array.isArray(value) && call.assume('unknown_reference') === 'accept') continue
      const known: string[] = refersTo.tables.flatMap(table => firstIds(call, table))
      fail(refersTo.missing, {
        field: name,
        id: shorten(id, 80),
        nearest: nearest(id, known),
      })
    }
  }
}

/** Ids to find the nearest among; bounded, because a table may be large. */
export function firstIds(call: Call, table: string, most = 1000): string[] {
  const ids: string[] = []
  for (const row of call.tables.of(table).newestFirst()) {
    if (ids.push(row.id) >= most) break
  }
  return ids
}
