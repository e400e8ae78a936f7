import { type Field, type Fields, hashName, SHA256, type Values } from './field.ts'
import { listOf, type Members, objectOf } from './shape.ts'

/**
 * Fields as members of a record in a fixture. Required are those that requests must give and that have no default. The
 * hash may be given instead of a value that nothing shows.
 */
export const membersOf = (fields: Fields): Members =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, Members[string]][] => {
      const { shape, required, default: fallback, writeOnly, optionalInFixtures } = field
      if (field.derived) return []
      if (writeOnly)
        return [
          [name, { shape }],
          [hashName(name), { shape: SHA256 }],
        ]
      return [[name, { shape, required: required !== undefined && fallback === undefined && !optionalInFixtures }]]
    }),
  )

/** An object with fields of its own. */
export const group = <F extends Fields>(
  fields: F,
  options: Pick<Field<Partial<Values<F>>>, 'default' | 'required' | 'unset' | 'oneOf' | 'merged'> = {},
): Field => ({ shape: objectOf(membersOf(fields)), group: fields, ...options })

/** A list of such objects. */
export const groups = <F extends Fields>(
  fields: F,
  options: Pick<Field, 'default' | 'unset'> = { default: [] },
): Field => ({ shape: listOf(objectOf(membersOf(fields))), group: fields, ...options })
