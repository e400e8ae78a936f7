import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'
import type { RequestError } from '../wire/request-error.ts'
import { memberIn, unreadIn } from './form-values.ts'

/** Why values were refused, by the path of the field: `cidr`, `target.queue.arn`, `headers[0].header`. */
export type FieldErrors = Readonly<Record<string, string>>

/** The errors of the fields inside a field. */
export const errorsInside = (errors: FieldErrors, prefix: string): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, why]) => [path.slice(prefix.length), why]),
  )

/** The path of the input that can show what is wrong at a path: the one there, or the nearest that it is inside of. */
function shownAt(fields: readonly FieldInfo[], values: Json, path: string): string | undefined {
  const [, name, index, rest] = /^([^.[]+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? []
  const field = fields.find(each => each.asked && each.name === name)
  if (!field || !name) return undefined
  const value = Array.isArray(values[name]) ? values[name][Number(index)] : values[name]
  if (!field.fields || !rest || !isObject(value)) return name
  const member = field.one_of ? memberIn(field.fields, value) : undefined
  const inside = shownAt(member ? [member] : field.fields, value, rest)
  return inside ? `${name}${index ? `[${index}]` : ''}.${inside}` : name
}

/** What an answer refused, at the field that shows it; none if no field does. */
export function refusedField(fields: readonly FieldInfo[], values: Json, error: RequestError | undefined): FieldErrors {
  const path = error?.details.field && shownAt(fields, values, error.details.field)
  return path ? { [path]: error.message } : {}
}

interface Checking {
  /** The record to change: what it has already need not be given. */
  existing?: Json
  /** Also tell what is missing: not before the form was sent once. */
  missing: boolean
}

/** What is wrong with values before they are sent. */
export function problemsIn(fields: readonly FieldInfo[], values: Json, checking: Checking): FieldErrors {
  const found: Record<string, string> = {}
  const inside = (at: string, inner: readonly FieldInfo[], value: Json, existing: unknown) => {
    const problems = problemsIn(inner, value, { ...checking, existing: existing as Json | undefined })
    for (const [path, why] of Object.entries(problems)) found[`${at}.${path}`] = why
  }
  for (const field of fields.filter(({ asked }) => asked)) {
    const { name, fields: inner } = field
    const value = values[name]
    const existing = checking.existing?.[name]
    const kept = checking.existing !== undefined && field.write_only
    if (checking.missing && field.required && !kept && isMissing(value)) found[name] = `${name} must be given.`
    else if (inner && Array.isArray(value))
      for (const [i, item] of value.entries()) inside(`${name}[${i}]`, inner, item as Json, undefined)
    else if (inner && isObject(value)) inside(name, field.one_of ? chosenIn(inner, value) : inner, value, existing)
    else {
      const why = wrongIn(value, field.schema)
      if (why) found[name] = `${name} ${why}`
    }
  }
  return found
}

const isMissing = (value: unknown) => value === undefined || value === null || value === ''

const chosenIn = (fields: readonly FieldInfo[], value: Json) => [memberIn(fields, value)].filter(field => !!field)

function wrongIn(value: unknown, { type, minimum, maximum }: Json): string | undefined {
  const unread = unreadIn(value)
  if (unread) return `must be JSON: ${unread.why}`
  if (isObject(value) && Object.values(value).some(Number.isNaN)) return 'must have numbers as its values.'
  if (typeof value !== 'number') return undefined
  if (Number.isNaN(value)) return 'must be a number.'
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number.'
  if (typeof minimum === 'number' && value < minimum) return `must be ${boundsOf({ minimum, maximum })}, not ${value}.`
  if (typeof maximum === 'number' && value > maximum) return `must be ${boundsOf({ minimum, maximum })}, not ${value}.`
  return undefined
}

/** `1 to 65535` */
export function boundsOf({ minimum, maximum }: Json): string {
  if (minimum === undefined) return maximum === undefined ? '' : `at most ${maximum}`
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`
}

/** Moves the focus to the first input that is wrong. */
export const focusWrong = (form: HTMLElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], .wrong :is(input, select, textarea, button)')?.focus()
