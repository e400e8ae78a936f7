import { isObject } from '../../basics/json.ts'
import type { FieldInfo, Json } from '../types.ts'

/** A line of text that is no field of any kind, such as an id or a parameter of a path. */
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

/** The values that a form starts with: those given, else the defaults. A secret is never among them. */
export const startOf = (fields: readonly FieldInfo[], given: Json | undefined): Json =>
  Object.fromEntries(
    fields.filter(({ asked }) => asked).map(field => [field.name, startValue(field, given?.[field.name])]),
  )

function startValue(field: FieldInfo, given: unknown): unknown {
  const { fields, write_only, one_of, default: usual } = field
  if (write_only) return undefined
  const value = given ?? usual ?? undefined
  if (!fields) return value
  if (Array.isArray(value)) return value.map(item => startOf(fields, item as Json))
  if (!isObject(value)) return undefined
  const member = one_of ? memberIn(fields, value) : undefined
  return startOf(member ? [member] : fields, value)
}

/** Of a group of which one member is given: that member. A form may have chosen it without a value yet. */
export const memberIn = (fields: readonly FieldInfo[], value: Json): FieldInfo | undefined =>
  fields.find(({ name }) => (value[name] ?? undefined) !== undefined) ?? fields.find(({ name }) => name in value)

export const sameValue = (a: unknown, b: unknown) => JSON.stringify(a ?? '') === JSON.stringify(b ?? '')

/**
 * A stored value with what a form made of it. Members that no input shows stay, such as the hash of a secret; those of
 * a secret that is given again do not.
 */
export function storedWith(fields: readonly FieldInfo[], values: Json, stored: Json): Json {
  const asked = fields.filter(field => field.asked)
  const replaced = asked.flatMap(({ name, write_only }) => {
    if (!write_only) return name
    return values[name] ? [name, `${name}_sha256`] : []
  })
  const left = Object.entries(stored).filter(([name]) => !replaced.includes(name))
  const given = asked
    .filter(({ name }) => (values[name] ?? '') !== '' || stored[name] !== undefined)
    .filter(({ name, write_only }) => !write_only || values[name])
    .map(({ name, fields: inner }) => {
      const [value, before] = [values[name], stored[name]]
      return [name, inner && isObject(value) && isObject(before) ? storedWith(inner, value, before) : value]
    })
  return { ...Object.fromEntries(left), ...Object.fromEntries(given) }
}

const UNREAD = Symbol('a text that is not JSON')

interface Unread {
  text: string
  why: string
}

/** Stands for the value of an input whose text is not JSON yet: the text is kept, and cannot be sent. */
export const unread = (text: string, why: string): Unread => ({ text, why, [UNREAD]: true }) as Unread

export const unreadIn = (value: unknown): Unread | undefined =>
  isObject(value) && UNREAD in value ? (value as unknown as Unread) : undefined
