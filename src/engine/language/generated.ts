import { textShape } from '../../basics/shape.ts'
import { errors } from '../errors.ts'
import type { Field } from './field.ts'

/** Generated once, when the record is created. */
export const generated = (make: NonNullable<Field['generated']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  generated: make,
  ...options,
})

export const changedAt = () =>
  generated(({ at }) => at, {
    shape: textShape({ format: 'date-time' }),
    regenerated: true,
    describe: 'Time of the last change',
  })

/** The creator of the record, as an id or a reference. With `regenerated`, the last editor. */
export const createdBy = (options: { ref?: string[]; regenerated?: true } = {}) =>
  generated(({ by }) => by, {
    content: 'id',
    regenerated: options.regenerated,
    describe: options.regenerated ? 'User that changed it last' : 'User that created it',
    refersTo: options.ref && { tables: options.ref, missing: errors.bad_reference, unchecked: true },
  })

/** Computed from the record. */
export const derived = (derive: NonNullable<Field['derived']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  derived: derive,
  ...options,
})
