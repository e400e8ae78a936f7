import { nearest } from '../basics/nearest.ts'
import type { AssumptionName } from '../contract/assumptions.ts'
import type { ErrorOf } from '../contract/errors.ts'
import type { ValueError } from './problem.ts'
import { boolean, listOf, type Members, objectOf, type Shape, textShape } from './shape.ts'

/** One named value of a resource: how it is checked, and how requests and answers treat it. */
export interface Field<T = unknown> {
  shape: Shape<T>
  /** Given on create and never changed afterwards. */
  createOnly?: true
  /** The value when a create or replace request gives none. */
  default?: T
  /** A create request must give it; the error when it does not. */
  required?: ValueError
  /** A list that a create or replace request must give, and not empty, where this assumption is `reject`. */
  notEmpty?: { under: AssumptionName; error: ErrorOf<{ field: string }> }
  /** The empty string means "not set", and a value that is not set is left out of answers. */
  omittedWhenEmpty?: true
  /** While it is not set, answers show null instead of nothing. */
  nullWhenUnset?: true
  /** The value names other records. */
  refersTo?: RefersTo
  /** In answers the references appear under this name, as Refs. */
  shownAs?: string
  /** The value is an object with these fields; null in answers while it is not set. */
  group?: Fields
  /** Only a fixture gives it: its value becomes the first of that list. */
  firstOf?: string
}

/** An error for an id that does not exist; `label` is the kind of record that it should name. */
export type MissingError = ErrorOf<{ field: string; id: string; label: string; nearest?: string }>

export interface RefersTo {
  /** The tables that the records are in. */
  tables: string[]
  /** The error when there is no such record. */
  missing: MissingError
  /** The error for what cannot be the id of such a record at all. */
  malformed?: { error: MissingError; form: RegExp }
  /**
   * What `delete_referenced=documented` does when the record is deleted: refuses with this error, or lets the value name
   * a record that does not exist. Unless given, it refuses with the general error.
   */
  whenDeleted?: UsedError | 'dangle'
}

/** An error for a record that others still refer to; `users` are some of their ids, and there are `more`. */
export type UsedError = ErrorOf<{ id: string; label: string; users: string[]; more: number }>

export type Fields = Record<string, Field>
export type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

const encoder = new TextEncoder()

/** A text that is too long in UTF-8. A UTF-16 unit is one to three bytes of it: most texts need no counting. */
export function checkBytes<E extends ValueError | undefined>(text: string, maxBytes: number, error: E) {
  const bytes = text.length * 3 <= maxBytes ? 0 : encoder.encode(text).length
  if (bytes <= maxBytes) return undefined
  return { error, expected: `at most ${maxBytes} bytes of UTF-8`, received: `${bytes} bytes` }
}

/** Free text, limited in UTF-8 bytes. JSON Schema can only limit characters, so `x-max-bytes` has the exact limit. */
export function text(options: { maxBytes: number; tooLong?: ValueError }): Field<string> {
  const { maxBytes, tooLong } = options
  const shape = textShape({ maxLength: maxBytes, 'x-max-bytes': maxBytes }, value =>
    checkBytes(value, maxBytes, tooLong),
  )
  return { shape, omittedWhenEmpty: true }
}

export const flag = (options: { default: boolean }): Field<boolean> => ({ shape: boolean, ...options })

export function choice<const V extends string>(
  values: readonly V[],
  options: { error: ValueError; createOnly?: true; required?: ValueError; default?: V },
): Field<V> {
  const { error, ...rest } = options
  const expected = `one of ${values.join(', ')}`
  const shape = textShape<V>({ enum: [...values] }, value =>
    (values as readonly string[]).includes(value) ? undefined : { error, expected, near: nearest(value, values) },
  )
  return { shape, ...rest }
}

/** The id of one record in any of the given tables. */
export function reference(
  tables: string[],
  options: Omit<RefersTo, 'tables'> & Pick<Field, 'createOnly' | 'required' | 'shownAs'>,
): Field<string> {
  const { missing, malformed, whenDeleted, ...rest } = options
  const refersTo = { tables, missing, malformed, whenDeleted }
  return { shape: textShape({ 'x-refers-to': tables }), refersTo, ...rest }
}

/** Ids of records of one table. A request may repeat an id; it is stored once. */
export function references(
  table: string,
  options: Omit<RefersTo, 'tables'> & Pick<Field, 'notEmpty'> & { shownAs: string },
): Field<string[]> {
  const { shownAs, notEmpty, ...rest } = options
  return {
    shape: listOf(textShape({ 'x-refers-to': [table] })),
    default: [],
    refersTo: { tables: [table], ...rest },
    notEmpty,
    shownAs,
  }
}

/** Fields as members of a record in a fixture. Required are those that requests must give and that have no default. */
export const membersOf = (fields: Fields): Members =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { shape, required, default: fallback }]) => [
      name,
      { shape, required: required !== undefined && fallback === undefined },
    ]),
  )

/** An object with fields of its own. */
export const group = <F extends Fields>(fields: F, options: Pick<Field<Values<F>>, 'default'> = {}): Field => ({
  shape: objectOf(membersOf(fields)),
  group: fields,
  ...options,
})

/** The value to store: a group gets its defaults, and repeated ids are dropped. */
export function asStored({ group, refersTo }: Field, value: unknown): unknown {
  if (group) return withDefaults(group, value as Record<string, unknown>)
  return refersTo && Array.isArray(value) ? [...new Set(value)] : value
}

/** The values to store: what is not given gets its default, and an empty text is left out. */
export function withDefaults(fields: Fields, given: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in fields) {
    const field = fields[name]!
    const value = given[name] ?? field.default
    if (value !== undefined && !(field.omittedWhenEmpty && value === '')) values[name] = asStored(field, value)
  }
  return values
}

/** A field with a shape that only one resource uses. */
export const value = <T>(
  shape: Shape<T>,
  options: Pick<Field<T>, 'required' | 'default' | 'firstOf'> = {},
): Field<T> => ({
  shape,
  ...options,
})
