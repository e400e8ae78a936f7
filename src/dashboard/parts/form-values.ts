import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'
import type { RequestError } from '../wire/request-error.ts'

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
export const initialValues = (fields: readonly FieldInfo[], given: Json = {}): Json =>
  Object.fromEntries(
    fields.filter(({ asked }) => asked).map(field => [field.name, initialValue(field, given[field.name])]),
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

/** A JSON Schema, for completion. */
export const schemaOf = (fields: readonly FieldInfo[]): Json => ({
  properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
})

export const sameValue = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/**
 * Merges form values into a stored record. Fields without an input are preserved, such as the hash of a secret, unless
 * the form has a new value for that secret.
 */
export function mergeStored(fields: readonly FieldInfo[], values: Json, stored: Json): Json {
  const sent = fields.filter(({ name, asked, write_only }) => asked && (!write_only || values[name]))
  const replacedHashes = sent.map(({ name }) => `${name}_sha256`)
  const preserved = Object.entries(stored).filter(([name]) => !replacedHashes.includes(name))
  const given = sent
    .filter(({ name }) => (values[name] ?? '') !== '' || stored[name] !== undefined)
    .map(({ name, fields: inner }) => {
      const [value, before] = [values[name], stored[name]]
      return [name, inner && isObject(value) && isObject(before) ? mergeStored(inner, value, before) : value]
    })
  return { ...Object.fromEntries(preserved), ...Object.fromEntries(given) }
}

/** Error messages by field path: `cidr`, `target.queue.arn`, `headers[0].header`. */
export type FieldErrors = Readonly<Record<string, string>>

/** The errors of nested fields, with paths relative to their parent. */
export const errorsInside = (errors: FieldErrors, prefix: string): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, message]) => [path.slice(prefix.length), message]),
  )

/** The path of the input that shows an error at `path`: the field itself or its closest visible parent. */
function inputPath(fields: readonly FieldInfo[], values: Json, path: string): string | undefined {
  const [, name, index, rest] = /^([^.[]+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? []
  const field = fields.find(each => each.asked && each.name === name)
  if (!field || !name) return undefined
  const value = Array.isArray(values[name]) ? values[name][Number(index)] : values[name]
  if (!field.fields || !rest || !isObject(value)) return name
  const chosen = field.one_of ? chosenField(field.fields, value) : undefined
  const inside = inputPath(chosen ? [chosen] : field.fields, value, rest)
  return inside ? `${name}${index ? `[${index}]` : ''}.${inside}` : name
}

/** The error of a rejected request by field path. Empty if no input shows that field. */
export function rejectedField(fields: readonly FieldInfo[], values: Json, error?: RequestError): FieldErrors {
  const path = error?.details.field && inputPath(fields, values, error.details.field)
  return path ? { [path]: error.message } : {}
}

/** `1 to 65535` */
export function boundsOf({ minimum, maximum }: Json): string {
  if (minimum === undefined) return maximum === undefined ? '' : `up to ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

export type InputKind = 'flag' | 'references' | 'map' | 'reference' | 'choice' | 'lines' | 'number' | 'text'

export const isNumber = ({ type }: Json) => type === 'integer' || type === 'number'

/** The schema of the values of a map, if they are strings or numbers. */
export function mapValues({ type, additionalProperties: values }: Json): Json | undefined {
  if (type !== 'object' || !values) return undefined
  const mapped = values === true ? { type: 'string' } : (values as Json)
  return isNumber(mapped) || mapped.type === 'string' ? mapped : undefined
}

/** The input for a field without inner fields. A test ensures that every declared field has one. */
export function inputKind({ schema, refers_to }: FieldInfo): InputKind | undefined {
  const { type } = schema
  if (type === 'boolean') return 'flag'
  if (refers_to && type === 'array') return 'references'
  if (mapValues(schema)) return 'map'
  if (refers_to) return 'reference'
  if (Array.isArray(schema.enum)) return 'choice'
  if (type === 'array' && (schema.items as Json | undefined)?.type === 'string') return 'lines'
  if (isNumber(schema)) return 'number'
  return type === 'string' ? 'text' : undefined
}
