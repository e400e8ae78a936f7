import { nearest } from '../basics/nearest.ts'
import type { ErrorOf } from '../contract/errors.ts'
import type { ValueError } from './problem.ts'
import { listOf, type Members, objectOf, type Shape, text as textOf, truth } from './shape.ts'

/** One named value of a resource: how it is checked, and how requests and answers treat it. */
export interface Field<T = unknown> {
  shape: Shape<T>
  /** Given on create and never changed after. */
  createOnly?: true
  /** The value when a create or replace request gives none. */
  default?: T
  /** A create request must give it; the error when it does not. */
  required?: ValueError
  /** The empty string means "not set", and a value that is not set is left out of answers. */
  omittedWhenEmpty?: true
  /** The value names other records: which tables they are in, and the error when one is missing. */
  refersTo?: { tables: string[]; missing: MissingError }
  /** In answers the references appear under this name, as Refs. */
  shownAs?: string
  /** The value is an object with these fields; null in answers while it is not set. */
  group?: Fields
  /** Only a fixture gives it: its value goes first into that list. */
  firstOf?: string
}

/** An error for an id that does not exist; the label says of what it should be. */
export type MissingError = ErrorOf<{ field: string; id: string; label: string; nearest?: string }>

export type Fields = Record<string, Field>
export type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

const encoder = new TextEncoder()
export const byteLength = (text: string) => encoder.encode(text).length

/** Free text, limited in UTF-8 bytes. JSON Schema can only count characters, so the exact limit stands beside it. */
export function text(options: { maxBytes: number; tooLong?: ValueError }): Field<string> {
  const { maxBytes, tooLong } = options
  const shape = textOf({ maxLength: maxBytes, 'x-max-bytes': maxBytes }, value => {
    // A UTF-16 unit is one to three bytes of UTF-8: most texts need no counting.
    if (value.length * 3 <= maxBytes) return undefined
    const bytes = byteLength(value)
    if (bytes <= maxBytes) return undefined
    return { error: tooLong, expected: `at most ${maxBytes} bytes of UTF-8`, received: `${bytes} bytes` }
  })
  return { shape, omittedWhenEmpty: true }
}

export const flag = (options: { default: boolean }): Field<boolean> => ({ shape: truth, ...options })

export function choice<const V extends string>(
  values: readonly V[],
  options: { error: ValueError; createOnly?: true; required?: ValueError; default?: V },
): Field<V> {
  const { error, ...rest } = options
  const expected = `one of ${values.join(', ')}`
  const shape = textOf<V>({ enum: [...values] }, value =>
    (values as readonly string[]).includes(value) ? undefined : { error, expected, near: nearest(value, values) },
  )
  return { shape, ...rest }
}

/** The id of one record in any of the given tables. */
export function reference(
  tables: string[],
  options: { missing: MissingError } & Pick<Field, 'createOnly' | 'required' | 'shownAs'>,
): Field<string> {
  const { missing, ...rest } = options
  return { shape: textOf({ 'x-refers-to': tables }), refersTo: { tables, missing }, ...rest }
}

/** Ids of records of one table; a request may name one twice, it is kept once. */
export function references(table: string, options: { missing: MissingError; shownAs: string }): Field<string[]> {
  return {
    shape: listOf(textOf({ 'x-refers-to': [table] })),
    default: [],
    refersTo: { tables: [table], missing: options.missing },
    shownAs: options.shownAs,
  }
}

/** Fields as a fixture holds them: everything is optional but what has no default and no record can do without. */
export const membersOf = (fields: Fields): Members =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { shape, required, default: usual }]) => [
      name,
      { shape, required: required !== undefined && usual === undefined },
    ]),
  )

/** An object with fields of its own. */
export const group = <F extends Fields>(fields: F, options: Pick<Field<Values<F>>, 'default'> = {}): Field => ({
  shape: objectOf(membersOf(fields)),
  group: fields,
  ...options,
})

/** A value as rows hold it: a group with its defaults, an id that is named twice once. */
export function asStored({ group, refersTo }: Field, value: unknown): unknown {
  if (group) return withDefaults(group, value as Record<string, unknown>)
  return refersTo && Array.isArray(value) ? [...new Set(value)] : value
}

/** Values as rows hold them: what is not given gets its default, and a text that is empty is not set. */
export function withDefaults(fields: Fields, given: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name in fields) {
    const field = fields[name]!
    const value = given[name] ?? field.default
    if (value !== undefined && !(field.omittedWhenEmpty && value === '')) values[name] = asStored(field, value)
  }
  return values
}

/** Wraps a shape made for one resource alone. */
export const value = <T>(
  shape: Shape<T>,
  options: Pick<Field<T>, 'required' | 'default' | 'firstOf'> = {},
): Field<T> => ({
  shape,
  ...options,
})

/** One id that a value holds, and where. */
export interface Reference {
  path: (string | number)[]
  field: Field
  id: string
}

/** Every reference among the values, also those inside groups. */
export function referencesIn(fields: Fields, values: Record<string, unknown>, at: Reference['path'] = []): Reference[] {
  const found: Reference[] = []
  for (const name in fields) {
    const value = values[name]
    if (value === undefined) continue
    const field = fields[name]!
    if (field.group) found.push(...referencesIn(field.group, value as Record<string, unknown>, [...at, name]))
    if (!field.refersTo) continue
    if (!Array.isArray(value)) found.push({ path: [...at, name], field, id: value as string })
    else for (const [i, id] of value.entries()) found.push({ path: [...at, name, i], field, id })
  }
  return found
}

/** Whether a value of these fields can name a record of that table. */
export const canReferTo = (table: string, fields: Fields): boolean =>
  Object.values(fields).some(
    ({ refersTo, group }) => refersTo?.tables.includes(table) || (group && canReferTo(table, group)),
  )

/** The values without that id of that table. */
export function withoutReference(
  fields: Fields,
  values: Record<string, unknown>,
  table: string,
  id: string,
): Record<string, unknown> {
  const left = { ...values }
  for (const name in fields) {
    const { group, refersTo } = fields[name]!
    const value = values[name]
    if (value === undefined) continue
    if (group) left[name] = withoutReference(group, value as Record<string, unknown>, table, id)
    if (!refersTo?.tables.includes(table)) continue
    if (Array.isArray(value)) left[name] = value.filter(each => each !== id)
    else if (value === id) delete left[name]
  }
  return left
}
