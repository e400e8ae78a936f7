import { isObject } from '../../../basics/json.ts'
import { plainField, sameValue, startOf, storedWith } from '../../parts/form-values.ts'
import type { FieldInfo, Json, Kind } from '../../types.ts'
import type { Draft, How } from './drafts.ts'

/** Whether the path has the field as a parameter: then a body does not. */
export const inPath = ({ path }: Kind, name: string) => path?.includes(`{${name}}`) === true

const ID = plainField('id', { create_only: true })

/** The fields of a form. Those in the path are required. In the state any can be changed, and a new id be given. */
export function formFields(kind: Kind, how: How, exists: boolean): FieldInfo[] {
  const asked = kind.fields
    .filter(({ asked }) => asked)
    .map(field => (inPath(kind, field.name) ? { ...field, required: true } : field))
  if (how === 'api') return asked
  return [...(exists ? [] : [ID]), ...asked.map(field => ({ ...field, create_only: false }))]
}

/** The fields that the form changed; of a new record also those that must be given. */
const changedFields = (kind: Kind, { how, values, base }: Draft) => {
  const fields = formFields(kind, how, base !== undefined)
  const start = startOf(fields, base)
  return (
    fields
      .filter(({ name, required }) => (!base && required) || !sameValue(values[name], start[name]))
      // An update that leaves out a value keeps it; only in the state can one be taken away.
      .filter(({ name }) => how === 'state' || !base || values[name] !== undefined)
  )
}

/** What a form sends. */
export function bodyOf(kind: Kind, draft: Draft): Json {
  const { how, values, base } = draft
  const changed = changedFields(kind, draft)
  if (how === 'api' || !base) return Object.fromEntries(changed.map(({ name }) => [name, values[name]]))
  const stored = storedWith(changed, values, base)
  return Object.fromEntries(changed.map(({ name }) => [name, stored[name] ?? null]))
}

/** A value that its author can start from. None for what need not be given and would be refused when empty. */
function emptyOf({ schema, required, refers_to, write_only, default: usual }: FieldInfo): unknown {
  if (usual !== null) return usual
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'string') return required || !(refers_to || write_only) ? '' : undefined
  if (schema.type === 'array') return []
  return required ? null : undefined
}

/** What the form has, as JSON: the body of a call, or the record as it will be stored. */
export const textOf = (kind: Kind, draft: Draft): string => JSON.stringify(documentOf(kind, draft), null, 2)

function documentOf(kind: Kind, draft: Draft): Json {
  const { how, values, base } = draft
  const fields = formFields(kind, how, base !== undefined)
  if (base && how === 'state') {
    const changed = bodyOf(kind, draft)
    const left = Object.entries({ ...base, ...changed }).filter(([name, value]) => !(name in changed) || value !== null)
    return Object.fromEntries(left)
  }
  if (base)
    return Object.fromEntries(fields.filter(field => !field.create_only).map(({ name }) => [name, values[name]]))
  const emptyFor = (field: FieldInfo) => (field === ID ? `${kind.prefix}_new` : emptyOf(field))
  return Object.fromEntries(fields.map(field => [field.name, values[field.name] ?? emptyFor(field)]))
}

export function parseObject(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`Not JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw new Error('It must be an object: { … }')
  return value
}

/** The values of a form that shows what the text says. Fails for a text with what no field of the form shows. */
export function valuesFrom(kind: Kind, draft: Draft): Json {
  const { how, base, text } = draft
  const parsed = parseObject(text!)
  const fields = formFields(kind, how, base !== undefined)
  const unshown = Object.keys(parsed).filter(
    name => !fields.some(field => field.name === name) && !sameValue(parsed[name], base?.[name]),
  )
  if (unshown.length > 0)
    throw new Error(`The form has no field for ${unshown.join(', ')}. Take it out, or stay with JSON.`)
  const secrets = fields.filter(({ write_only, name }) => write_only && parsed[name] !== undefined)
  return { ...startOf(fields, parsed), ...Object.fromEntries(secrets.map(({ name }) => [name, parsed[name]])) }
}

/** The same with a number in place of `{n}` in every text. */
export function numbered<T>(value: T, n: number): T {
  if (typeof value === 'string') return value.replaceAll('{n}', String(n)) as T
  if (Array.isArray(value)) return value.map(item => numbered(item, n)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbered(inner, n)])) as T
}
