import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'

/** A string field that no resource declares, such as an id or a path parameter. */
export const plainField = (name: string, more: Partial<FieldInfo> = {}): FieldInfo => ({
  name,
  schema: { type: 'string' },
  create_only: false,
  required: false,
  default: null,
  refers_to: null,
  shown_as: null,
  asked: true,
  write_only: false,
  one_of: false,
  fields: null,
  ...more,
})

/** The initial values of a form: the given values, or defaults. Secrets are omitted. */
export const initialValues = (fields: readonly FieldInfo[], given: Json | undefined): Json =>
  Object.fromEntries(
    fields.filter(({ asked }) => asked).map(field => [field.name, initialValue(field, given?.[field.name])]),
  )

function initialValue(field: FieldInfo, given: unknown): unknown {
  const { fields, write_only, one_of, default: defaultValue } = field
  if (write_only) return undefined
  const value = given ?? defaultValue ?? undefined
  if (!fields) return value
  if (Array.isArray(value)) return value.map(item => initialValues(fields, item as Json))
  if (!isObject(value)) return undefined
  const chosen = one_of ? chosenField(fields, value) : undefined
  return initialValues(chosen ? [chosen] : fields, value)
}

/** The field that is set in a one-of object. In a form it might not have a value yet. */
export const chosenField = (fields: readonly FieldInfo[], value: Json): FieldInfo | undefined =>
  fields.find(({ name }) => (value[name] ?? undefined) !== undefined) ?? fields.find(({ name }) => name in value)

export const sameValue = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/**
 * Merges form values into a stored record. Fields without an input are preserved, such as the hash of a secret, unless
 * the form has a new value for that secret.
 */
export function mergeStored(fields: readonly FieldInfo[], values: Json, stored: Json): Json {
  const asked = fields.filter(field => field.asked)
  const replaced = asked.flatMap(({ name, write_only }) => {
    if (!write_only) return name
    return values[name] ? [name, `${name}_sha256`] : []
  })
  const preserved = Object.entries(stored).filter(([name]) => !replaced.includes(name))
  const given = asked
    .filter(({ name }) => (values[name] ?? '') !== '' || stored[name] !== undefined)
    .filter(({ name, write_only }) => !write_only || values[name])
    .map(({ name, fields: inner }) => {
      const [value, before] = [values[name], stored[name]]
      return [name, inner && isObject(value) && isObject(before) ? mergeStored(inner, value, before) : value]
    })
  return { ...Object.fromEntries(preserved), ...Object.fromEntries(given) }
}

const INVALID_JSON = Symbol('invalid JSON')

interface InvalidJson {
  text: string
  reason: string
}

/** The value of an input with invalid JSON. It preserves the text. */
export const invalidJson = (text: string, reason: string): InvalidJson =>
  ({ text, reason, [INVALID_JSON]: true }) as InvalidJson

export const invalidJsonIn = (value: unknown): InvalidJson | undefined =>
  isObject(value) && INVALID_JSON in value ? (value as unknown as InvalidJson) : undefined
