import { isObject, mapTexts } from '../../../basics/json.ts'
import { initialValues, mergeStored, plainField, sameValue } from '../../parts/form-values.ts'
import type { FieldInfo, Json, Kind, Row } from '../../types.ts'

/** Whether a record is written through the API, or directly in the state, which bypasses scenario rules. */
export type WriteMode = 'api' | 'state'

/** Unsaved changes in an editor. */
export interface Draft {
  how: WriteMode
  values: Json
  /** Edited as JSON, not in the form. */
  asJson?: boolean
  /** The edited JSON. Without it, the JSON follows from the values. */
  text?: string
  /** The record before editing. */
  base?: Row
  /** Number of records to create. */
  count: number
}

/** Whether the field is a path parameter, and so not in the body. */
export const inPath = ({ path }: Kind, name: string) => path?.includes(`{${name}}`) === true

const ID = plainField('id', { create_only: true })

/** The fields of a form. Path parameters are required. In the state, all fields and the id of a new record can be set. */
export function formFields(kind: Kind, how: WriteMode, exists: boolean): FieldInfo[] {
  const fields = kind.fields
    .filter(({ asked }) => asked)
    .map(field => (inPath(kind, field.name) ? { ...field, required: true } : field))
  if (how === 'api') return fields
  return [...(exists ? [] : [ID]), ...fields.map(field => ({ ...field, create_only: false }))]
}

/** Changed fields, and required fields of a new record. An API update cannot remove a value. Only the state can. */
function changedFields(kind: Kind, { how, values, base }: Draft): FieldInfo[] {
  const fields = formFields(kind, how, base !== undefined)
  const initial = initialValues(fields, base)
  const isChanged = ({ name }: FieldInfo) => !sameValue(values[name], initial[name])
  if (!base) return fields.filter(field => field.required || isChanged(field))
  return fields.filter(field => isChanged(field) && (how === 'state' || values[field.name] !== undefined))
}

const pick = (fields: readonly FieldInfo[], values: Json): Json =>
  Object.fromEntries(fields.map(({ name }) => [name, values[name]]))

/** The body that a form sends. */
export function bodyOf(kind: Kind, draft: Draft): Json {
  const { how, values, base } = draft
  const changed = changedFields(kind, draft)
  if (how === 'api' || !base) return pick(changed, values)
  const stored = mergeStored(changed, values, base)
  return Object.fromEntries(changed.map(({ name }) => [name, stored[name] ?? null]))
}

/** A template value. Undefined for optional fields that must not be empty. */
function emptyOf({ schema, required, refers_to, write_only, default: defaultValue }: FieldInfo): unknown {
  if (defaultValue !== null) return defaultValue
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'string') return required || !(refers_to || write_only) ? '' : undefined
  if (schema.type === 'array') return []
  return required ? null : undefined
}

/** The form as JSON: a request body, or the record to store. */
export const textOf = (kind: Kind, draft: Draft): string => JSON.stringify(documentOf(kind, draft), null, 2)

function documentOf(kind: Kind, draft: Draft): Json {
  const { how, values, base } = draft
  const fields = formFields(kind, how, base !== undefined)
  if (base && how === 'state') return { ...base, ...mergeStored(changedFields(kind, draft), values, base) }
  const updatable = fields.filter(field => !field.create_only)
  if (base) return pick(updatable, values)
  const emptyFor = (field: FieldInfo) => (field === ID ? `${kind.prefix}_new` : emptyOf(field))
  return Object.fromEntries(fields.map(field => [field.name, values[field.name] ?? emptyFor(field)]))
}

export function parseObject(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`Invalid JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw new Error('The record must be a JSON object: { … }')
  return value
}

/** The form values of the JSON text. Throws if the text has fields that the form doesn't show. */
export function valuesFrom(kind: Kind, draft: Draft): Json {
  const { how, base, text } = draft
  const parsed = parseObject(text!)
  const fields = formFields(kind, how, base !== undefined)
  const unknown = Object.keys(parsed).filter(
    name => !fields.some(field => field.name === name) && !sameValue(parsed[name], base?.[name]),
  )
  if (unknown.length > 0)
    throw new Error(`The form has no field for ${unknown.join(', ')}. Remove it, or continue with JSON.`)
  const secrets = fields.filter(({ write_only, name }) => write_only && parsed[name] !== undefined)
  return { ...initialValues(fields, parsed), ...pick(secrets, parsed) }
}

/** Replaces `{n}` in every string with a number. */
export const numbered = (body: Json, n: number) => mapTexts(body, text => text.replaceAll('{n}', String(n))) as Json
