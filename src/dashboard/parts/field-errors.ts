import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'
import type { RequestError } from '../wire/request-error.ts'
import { chosenField, invalidJsonIn } from './form-values.ts'

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
export function rejectedField(
  fields: readonly FieldInfo[],
  values: Json,
  error: RequestError | undefined,
): FieldErrors {
  const path = error?.details.field && inputPath(fields, values, error.details.field)
  return path ? { [path]: error.message } : {}
}

interface CheckOptions {
  /** The record being edited: secrets it already has are optional. */
  existing?: Json
  /** Also report missing fields. Set after the first submit. */
  missing: boolean
}

/** Client-side validation errors. */
export function problemsIn(fields: readonly FieldInfo[], values: Json, options: CheckOptions): FieldErrors {
  const found: Record<string, string> = {}
  const inside = (at: string, inner: readonly FieldInfo[], value: Json, existing: unknown) => {
    const problems = problemsIn(inner, value, { ...options, existing: existing as Json | undefined })
    for (const [path, message] of Object.entries(problems)) found[`${at}.${path}`] = message
  }
  for (const field of fields.filter(({ asked }) => asked)) {
    const { name, fields: inner } = field
    const value = values[name]
    const existing = options.existing?.[name]
    const hasSecret = options.existing !== undefined && field.write_only
    if (options.missing && field.required && !hasSecret && isMissing(value)) found[name] = `${name} is required.`
    else if (inner && Array.isArray(value))
      for (const [i, item] of value.entries()) inside(`${name}[${i}]`, inner, item as Json, undefined)
    else if (inner && isObject(value)) inside(name, field.one_of ? chosenIn(inner, value) : inner, value, existing)
    else {
      const problem = problemWith(value, field.schema)
      if (problem) found[name] = `${name} ${problem}`
    }
  }
  return found
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

const chosenIn = (fields: readonly FieldInfo[], value: Json) => [chosenField(fields, value)].filter(field => !!field)

function problemWith(value: unknown, { type, minimum, maximum }: Json): string | undefined {
  const invalid = invalidJsonIn(value)
  if (invalid) return `must be JSON: ${invalid.reason}`
  if (isObject(value) && Object.values(value).some(Number.isNaN)) return 'values must be numbers.'
  if (typeof value !== 'number') return undefined
  if (Number.isNaN(value)) return 'must be a number.'
  if (type === 'integer' && !Number.isInteger(value)) return 'must be an integer.'
  if (typeof minimum === 'number' && value < minimum) return `must be ${boundsOf({ minimum, maximum })}, got ${value}.`
  if (typeof maximum === 'number' && value > maximum) return `must be ${boundsOf({ minimum, maximum })}, got ${value}.`
  return undefined
}

/** `1 to 65535` */
export function boundsOf({ minimum, maximum }: Json): string {
  if (minimum === undefined) return maximum === undefined ? '' : `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

/** Moves the focus to the first invalid input. */
export const focusInvalid = (form: HTMLElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], .wrong :is(input, select, textarea, button)')?.focus()
