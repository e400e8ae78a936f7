import type { ValueError } from '../../basics/problem.ts'
import { boolean, mapOf, matching, oneOf, type Shape, textShape } from '../../basics/shape.ts'
import type { Row } from '../../contract/journal-entry.ts'
import type { ErrorKind } from '../error.ts'
import type { Ask, Question } from '../question.ts'
import type { Content } from './content.ts'

/** A field of a resource: its checks, and its use in requests and responses. */
export interface Field<T = unknown> {
  shape: Shape<T>
  /** Meaning for users, as a fragment. In OpenAPI, JSON Schemas and documents. */
  describe?: string
  /** Set on create, never updated. */
  createOnly?: true
  /** The value if a create or replace request sets none. */
  default?: T
  /** The error for a create request without it. */
  required?: ValueError
  /** The assumption by which it is required, if the API's document does not say so. */
  requiredUnder?: Question
  /** Not required if this field is set. `onCreate` finds the value. */
  unlessGiven?: string
  /** A create or replace request must set a non-empty list if this assumption is `reject`. */
  notEmpty?: { under: Question<'reject' | 'accept'>; error: ErrorKind<{ field: string }> }
  /** Converts a value to its stored form. */
  normalise?(value: T): T
  /** The string is a JSON or YAML object. The error if it is not. */
  document?: ErrorKind<{ field: string; why: string }>
  /** The strings are regular expressions with a limited number of instructions. The error if they are not. */
  patterns?: { maxSize: number; error: ErrorKind<{ field: string; expected: string; received: string }> }
  /** An empty string means unset, and responses omit an unset value. */
  omittedWhenEmpty?: true
  /** How responses show an unset value, or that it is always set (default: see `unsetOf`). */
  unset?: Unset
  refersTo?: RefersTo
  /** The name of the references in responses. */
  shownAs?: string
  /** The fields of the object, or of each object in the list. */
  group?: Fields
  /** An update changes only the fields that it sets. */
  merged?: true
  /** A request must set exactly one field of the group. The errors for none and for several. */
  oneOf?: { none: ValueError; several: ValueError }
  /** Only for fixtures: the value becomes the first entry of that list. */
  firstOf?: string
  /** Optional in fixtures, although requests must set it. */
  optionalInFixtures?: true
  /** Never returned. A row stores only the hash, as `NAME_sha256`. */
  writeOnly?: true
  /** Stored, but not in responses. */
  notShown?: true
  /** Generated on create. A fixture may set it, a request only with `acceptsInput`. */
  generated?(context: GenerateContext): unknown
  /** A request may also set it. An empty string, 0 and an empty object count as unset. */
  acceptsInput?: true
  /** Generated again with every change. */
  regenerated?: true
  /** Computed from the record and from `look`. Neither stored nor set by requests. */
  derived?(values: Record<string, unknown>, row: Row, look: Look): unknown
  /** Also depends on other records or the clock, so responses cannot be cached. */
  dependsOnOthers?: true
  /** The kind of content (default: secret, id or plain, if that is clear). */
  content?: Content
  /** Finds a value that responses do not contain, from the rest of the response. */
  fromResponse?(reply: Record<string, unknown>): unknown
}

export type Unset = 'omit' | 'null' | 'never'

/** Input for generated values. */
export interface GenerateContext {
  id: string
  /** The current time. */
  at: string
  /** The caller's id. For a fixture, the first admin's id. */
  by: string | undefined
  vendor: string
  /** Random letters and digits, repeatable with a seed. Always the same for a fixture. */
  draw(size: number): string
  /** Whether another record of this kind has that value. */
  isTaken(value: unknown): boolean
  /** The other values: set in the request, or of fields declared earlier. */
  given: Record<string, unknown>
  /** A record of a kind declared earlier. */
  get(table: string, id: string): Row | undefined
}

/** A table by its name, or by its declaration, which gives its rows types. */
export type TableOf<F extends Fields> = string | { table: string; fields: F }

/** The records of a state, as declarations read them. */
export interface Records {
  get<F extends Fields>(table: TableOf<F>, id: string): RowOf<F> | undefined
  /** The rows with that value in an indexed field, oldest first. */
  where<F extends Fields>(table: TableOf<F>, field: string, value: unknown): RowOf<F>[]
  /** Oldest first. */
  all<F extends Fields>(table: TableOf<F>): Iterable<RowOf<F>>
  /** Computes a value from all records, once per state. */
  derive<T extends object>(compute: (tables: Records) => T): T
}

/** What a derived value can depend on, in addition to its record. */
export interface Look {
  tables: Records
  baseUrl: string
  vendor: string
  /** The time on the sandbox clock, in milliseconds. */
  now(): number
  assume: Ask
}

/** How responses show an unset field. */
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

/** Whether a request can set it. */
export const acceptsInput = ({ generated, derived, acceptsInput }: Field) =>
  acceptsInput || (generated === undefined && derived === undefined)

/** Whether it is in responses. */
export const isShown = ({ writeOnly, notShown }: Field) => !writeOnly && !notShown

/** Whether responses show references instead of ids. */
export const isShownAsRef = (field: Field) =>
  field.refersTo !== undefined && (field.shownAs !== undefined || !acceptsInput(field))

/** An error for an unknown id. `label` is the expected kind of record. */
export type MissingError = ErrorKind<{ field: string; id: string; label: string; nearest?: string }>

export interface RefersTo {
  tables: string[]
  /** The error for an unknown id. */
  missing: MissingError
  /** The errors for a malformed id, and for an id of a kind that is not allowed. */
  malformed?: { error: MissingError; form: RegExp }
  excluded?: { error: MissingError; form: RegExp }
  /**
   * The effect of deleting the target under `delete_referenced=documented`: this error (default: the general error), or
   * `dangle` to keep the id. With `delete`, the referring record is also deleted, under every assumption. The error may
   * depend on the referring record.
   */
  whenDeleted?: UsedError | 'dangle' | 'delete' | ((row: Row) => UsedError)
  /** The target may be deleted. */
  unchecked?: true
  /** The vendor's path, for a kind that edgesim does not simulate. */
  path?: string
}

/** An error for a record that others refer to: some of their ids, and the number of the rest. */
export type UsedError = ErrorKind<{ id: string; label: string; users: string[]; more: number }>

export type Fields = Record<string, Field>
/** The values of a record or group, undefined if they may be unset. */
export type Values<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }
/** A stored record with these fields. */
export type RowOf<F extends Fields> = Row & { readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never }
/** The type of a value with these options: undefined if it may be unset. */
type Stored<T, O> = O extends { required: ValueError } | { default: unknown } | { unset: 'never' } ? T : T | undefined

const encoder = new TextEncoder()

/** Limits UTF-8 bytes. A UTF-16 unit takes up to three, so short strings need no counting. */
export function checkBytes<E extends ValueError | undefined>(text: string, maxBytes: number, error: E) {
  const bytes = text.length * 3 <= maxBytes ? 0 : encoder.encode(text).length
  if (bytes <= maxBytes) return undefined
  return { error, expected: `up to ${maxBytes} bytes of UTF-8`, received: `${bytes} bytes` }
}

/** Text, limited in UTF-8 bytes. JSON Schema can only limit characters, so `x-max-bytes` is the exact limit. */
export function text(maxBytes: number, tooLong?: ValueError): Field<string | undefined> {
  const shape = textShape({ maxLength: maxBytes, 'x-max-bytes': maxBytes }, value =>
    checkBytes(value, maxBytes, tooLong),
  )
  return { shape, content: 'text' }
}

export const flag = (options: { default: boolean; describe?: string }): Field<boolean> => ({
  shape: boolean,
  ...options,
})

export function choice<const V extends string, O extends Options<V> & { error: ValueError }>(
  values: readonly V[],
  options: O,
): Field<Stored<V, O>> {
  const { error, ...rest } = options
  return { shape: oneOf(values, error), ...rest } as Field<Stored<V, O>>
}

type Options<T> = Omit<Field<T>, 'shape' | 'group' | 'generated' | 'derived' | 'refersTo'>

export const value = <T, O extends Options<T> = Options<T>>(shape: Shape<T>, options?: O): Field<Stored<T, O>> =>
  ({ shape, ...options }) as Field<Stored<T, O>>

/** Name to string. */
export const labels = (options: Options<Record<string, string>> = {}): Field<Record<string, string> | undefined> =>
  value(mapOf(textShape()), { content: 'name', ...options })

/** A write-only string, which error messages also omit. */
export const secret = (shape: Shape<string>, options: Options<string> = {}): Field<string | undefined> => ({
  ...value(withoutValue(shape), options),
  writeOnly: true,
})
/** The shape, with problems that contain only the size of a value. */
const withoutValue = (shape: Shape<string>): Shape<string> => ({
  ...shape,
  find: text => shape.find(text)?.map(problem => ({ ...problem, received: sizeOf(text), near: undefined })),
})
const sizeOf = (text: unknown) =>
  typeof text === 'string' ? `a string of ${encoder.encode(text).length} bytes` : `a ${typeof text}`

/** Hides its value, because a user may send the secret instead of the hash. */
export const SHA256 = withoutValue(matching(/^[0-9a-f]{64}$/))
export const hashName = (name: string) => `${name}_sha256`
