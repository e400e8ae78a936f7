import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'

/** The values that a form starts with: those given, else the defaults. A secret is never among them. */
export const startOf = (fields: readonly FieldInfo[], given: Json | undefined): Json =>
  Object.fromEntries(
    fields.filter(({ asked }) => asked).map(field => [field.name, startValue(field, given?.[field.name])]),
  )

function startValue(field: FieldInfo, given: unknown): unknown {
  const { fields, write_only, one_of, default: usual } = field
  if (write_only) return undefined
  const value = given ?? usual ?? undefined
  if (!fields) return value
  if (Array.isArray(value)) return value.map(item => startOf(fields, item as Json))
  if (!isObject(value)) return undefined
  const member = one_of ? memberIn(fields, value) : undefined
  return startOf(member ? [member] : fields, value)
}

/** Of a group of which one member is given: that member. A form may have chosen it without a value yet. */
export const memberIn = (fields: readonly FieldInfo[], value: Json): FieldInfo | undefined =>
  fields.find(({ name }) => (value[name] ?? undefined) !== undefined) ?? fields.find(({ name }) => name in value)
