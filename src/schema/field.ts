import type { ErrorOf } from '../errors.ts'
import type { ValueError } from './flaw.ts'
import { listOf, type Shape, text as textOf, truth } from './shape.ts'

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
}

/** An error for an id that does not exist. */
export type MissingError = ErrorOf<{ field: string; id: string; nearest?: string }>

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
  options: { error: ValueError; createOnly?: true; required?: ValueError },
): Field<V> {
  const { error, ...rest } = options
  const expected = `one of ${values.join(', ')}`
  const shape = textOf<V>({ enum: [...values] }, value =>
    (values as readonly string[]).includes(value) ? undefined : { error, expected },
  )
  return { shape, ...rest }
}

/** The id of one record in any of the given tables. */
export function reference(tables: string[], options: { missing: MissingError; createOnly?: true }): Field<string> {
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

/** Wraps a shape made for one resource alone. */
export const value = <T>(shape: Shape<T>): Field<T> => ({ shape })
