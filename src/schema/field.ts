import { nearest } from '../basics/nearest.ts'
import type { AssumptionName } from '../contract/assumptions.ts'
import type { ErrorOf } from '../contract/errors.ts'
import type { Row } from '../contract/journal-entry.ts'
import { type Content, hasOnlyKnownWords } from './content.ts'
import type { ValueError } from './problem.ts'
import { boolean, mapOf, matching, type Shape, textShape } from './shape.ts'

/** One named value of a resource: how it is checked, and how requests and answers treat it. */
export interface Field<T = unknown> {
  shape: Shape<T>
  /** Given on create and never changed afterwards. */
  createOnly?: true
  /** The value when a create or replace request gives none. */
  default?: T
  /** A create request must give it; the error when it does not. */
  required?: ValueError
  /** It is not required of a request that gives this field, from which `onCreate` finds it. */
  unlessGiven?: string
  /** A list that a create or replace request must give, and not empty, where this assumption is `reject`. */
  notEmpty?: { under: AssumptionName; error: ErrorOf<{ field: string }> }
  /** Requests and fixtures may write a value in several ways: the one that is stored. */
  normalise?(value: T): T
  /** The text is a JSON or YAML document that is an object; the error for a request where it is not. */
  document?: ErrorOf<{ field: string; why: string }>
  /** The texts are regular expressions, of so many instructions at most; the error for a request where they are not. */
  patterns?: { maxSize: number; error: ErrorOf<{ field: string; expected: string; received: string }> }
  /** The empty string means "not set", and a value that is not set is left out of answers. */
  omittedWhenEmpty?: true
  /** What answers show while it is not set, or that it always is set; `unsetOf` knows what is usual. */
  unset?: Unset
  /** The value names other records. */
  refersTo?: RefersTo
  /** In answers the references appear under this name, as Refs. */
  shownAs?: string
  /** The value is an object with these fields, or a list of such objects. */
  group?: Fields
  /** An update of the group leaves the members that it does not give. */
  merged?: true
  /** A request must give exactly one of the group's members; the errors for none and for several. */
  oneOf?: { none: ValueError; several: ValueError }
  /** Only a fixture gives it: its value becomes the first of that list. */
  firstOf?: string
  /** Fixtures may leave it out, though requests must give it. */
  optionalInFixtures?: true
  /** Requests give it and nothing shows it again: a row only has its hash, under the name with `_sha256`. */
  writeOnly?: true
  /** It is stored, and answers do not have it. */
  notShown?: true
  /** It is made with the record. A fixture may give it, and no request, unless it is `asked`. */
  generated?(making: GenerateContext): unknown
  /** A request may give it too. An empty text, 0 and an empty object count as not given. */
  acceptsInput?: true
  /** It is made again with every change of the record. */
  regenerated?: true
  /** No request gives it and no row has it: it follows from the values beside it, and from what `look` shows. */
  derived?(values: Record<string, unknown>, row: Row, look: Look): unknown
  /** It follows from other records or the clock too, so that answers with it cannot be kept. */
  dependsOnOthers?: true
  /** What its texts are about; `holdsOf` knows what follows from the rest. */
  content?: Content
  /** Answers do not have the value, but it follows from what the object has that it would be in. */
  fromResponse?(reply: Record<string, unknown>): unknown
}

export type Unset = 'omit' | 'null' | 'never'

/** What a value is made from. */
export interface GenerateContext {
  id: string
  /** The time of the change. */
  at: string
  /** The id of the caller; for a record of a fixture, of the first admin. */
  by: string | undefined
  vendor: string
  /** So many letters and digits, random or drawn from the seed; for a record of a fixture, always the same. */
  draw(size: number): string
  /** Whether a record of this kind has that value in the field. */
  isTaken(value: unknown): boolean
  /** The values beside it: those that are given, and those of the fields that are declared before. */
  given: Record<string, unknown>
  /** A record of a kind that is declared before. */
  get(table: string, id: string): Row | undefined
}

/** What a derived value may depend on, beside its record. */
export interface Look {
  baseUrl: string
  vendor: string
  /** Of the sandbox's clock, in milliseconds. */
  now(): number
  get(table: string, id: string): Row | undefined
  where(table: string, field: string, value: unknown): Row[]
  assume(name: AssumptionName): string
  /** What a function makes of all records; it is called once for a state. */
  derive<T extends object>(make: (tables: AllRows) => T): T
}

export interface AllRows {
  of(table: string): { oldestFirst(): Iterable<Row> }
}

/** What answers show of a field that is not set. */
export function unsetOf({
  unset,
  omittedWhenEmpty,
  required,
  generated,
  derived,
  shownAs,
  group,
  ...field
}: Field): Unset {
  if (unset) return unset
  if (omittedWhenEmpty) return 'omit'
  if (field.default !== undefined || required || generated || derived) return 'never'
  return shownAs || group ? 'null' : 'omit'
}

/** What the field holds: as it is declared, or as follows from the rest of its declaration. */
export function contentOf({ content, writeOnly, refersTo, shape }: Field): Content | undefined {
  if (writeOnly) return 'secret'
  return content ?? (refersTo ? 'id' : hasOnlyKnownWords(shape.json) ? 'plain' : undefined)
}

/** Whether a request can give it. */
export const acceptsInput = ({ generated, derived, acceptsInput }: Field) =>
  acceptsInput || (generated === undefined && derived === undefined)

/** Whether answers have it. */
export const isShown = ({ writeOnly, notShown }: Field) => !writeOnly && !notShown

/** Whether answers show references instead of ids. */
export const isShownAsRef = (field: Field) =>
  field.refersTo !== undefined && (field.shownAs !== undefined || !acceptsInput(field))

/** An error for an id that does not exist; `label` is the kind of record that it should name. */
export type MissingError = ErrorOf<{ field: string; id: string; label: string; nearest?: string }>

export interface RefersTo {
  /** The tables that the records are in. */
  tables: string[]
  /** The error when there is no such record. */
  missing: MissingError
  /** The errors for what cannot be the id of such a record at all, and for the id of a kind that may not be named. */
  malformed?: { error: MissingError; form: RegExp }
  excluded?: { error: MissingError; form: RegExp }
  /**
   * What `delete_referenced=documented` does when the record is deleted: refuses with this error, or lets the value name
   * a record that does not exist. Unless given, it refuses with the general error. With `delete`, whatever is assumed,
   * the record with the value is deleted too. The error may depend on the record with the value.
   */
  whenDeleted?: UsedError | 'dangle' | 'delete' | ((row: Row) => UsedError)
  /** The record may be gone: the value only says who it was. */
  unchecked?: true
  /** Of a kind that edgesim does not have: where the vendor has it. */
  path?: string
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
export function text({ maxBytes, tooLong }: { maxBytes: number; tooLong?: ValueError }): Field<string> {
  const shape = textShape({ maxLength: maxBytes, 'x-max-bytes': maxBytes }, value =>
    checkBytes(value, maxBytes, tooLong),
  )
  return { shape, omittedWhenEmpty: true, content: 'text' }
}

/** What nearly every record has, for its people and its programs; with errors of its own for too long texts. */
export const described = (tooLong: { description?: ValueError; metadata?: ValueError } = {}) => ({
  description: text({ maxBytes: 255, tooLong: tooLong.description }),
  metadata: text({ maxBytes: 4096, tooLong: tooLong.metadata }),
})

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

type Options<T> = Pick<
  Field<T>,
  | 'required'
  | 'default'
  | 'firstOf'
  | 'createOnly'
  | 'unset'
  | 'optionalInFixtures'
  | 'omittedWhenEmpty'
  | 'notShown'
  | 'normalise'
  | 'document'
  | 'content'
  | 'fromResponse'
>

/** A field with a shape that only one resource uses. */
export const value = <T>(shape: Shape<T>, options: Options<T> = {}): Field<T> => ({ shape, ...options })

/** Texts by name. */
export const labels = (options: Options<Record<string, string>> = {}): Field<Record<string, string>> =>
  value(mapOf(textShape()), { content: 'name', ...options })

/** A text that nothing shows again, also not in a message that it is wrong. */
export const secret = (shape: Shape<string>, options: Options<string> = {}): Field<string> => ({
  ...value(withoutValue(shape), options),
  writeOnly: true,
})
/** The shape, whose problems only tell the size of a value. */
const withoutValue = (shape: Shape<string>): Shape<string> => ({
  ...shape,
  find: text => shape.find(text)?.map(problem => ({ ...problem, received: sizeOf(text), near: undefined })),
})
const sizeOf = (text: unknown) =>
  typeof text === 'string' ? `a text of ${encoder.encode(text).length} bytes` : `a ${typeof text}`

/** Somebody may give the value itself in its place. */
export const SHA256 = withoutValue(matching(/^[0-9a-f]{64}$/))
export const hashName = (name: string) => `${name}_sha256`
