import { listOf, type Members, objectOf } from '../../basics/shape.ts'
import { type Field, type Fields, hashName, SHA256, type Values } from './field.ts'

/**
 * Fields of a record in a fixture. A field is required if a request must set it and it has no default. The hash may
 * replace a write-only value.
 */
export const membersOf = (fields: Fields): Members =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, Members[string]][] => {
      const { shape, describe, required, default: fallback, writeOnly, optionalInFixtures } = field
      if (field.derived) return []
      if (writeOnly)
        return [
          [name, { shape, describe }],
          [hashName(name), { shape: SHA256 }],
        ]
      const isRequired = required !== undefined && fallback === undefined && !optionalInFixtures
      return [[name, { shape, describe, required: isRequired }]]
    }),
  )

/** An object with its own fields. */
export const group = <F extends Fields>(
  fields: F,
  options: Pick<Field<Partial<Values<F>>>, 'default' | 'required' | 'unset' | 'oneOf' | 'merged' | 'describe'> = {},
): Field<Values<F>> =>
  ({ shape: objectOf(membersOf(fields)), group: fields, ...options }) as unknown as Field<Values<F>>

/** A list of objects with the same fields. */
export const groups = <F extends Fields>(
  fields: F,
  options: Pick<Field, 'default' | 'unset' | 'describe'> = { default: [] },
): Field<Values<F>[]> =>
  ({ shape: listOf(objectOf(membersOf(fields))), group: fields, ...options }) as unknown as Field<Values<F>[]>
