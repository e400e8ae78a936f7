import type { Field } from './field.ts'
import { textShape } from './shape.ts'

/** It is made once, with the record. */
export const generated = (make: NonNullable<Field['generated']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  generated: make,
  ...options,
})

/** The time of the last change. */
export const changedAt = () =>
  generated(({ at }) => at, { shape: textShape({ format: 'date-time' }), regenerated: true })

/** Who made the record, as an id or as a reference; with `regenerated`, who changed it last. */
export const createdBy = (options: { ref?: string[]; regenerated?: true } = {}) =>
  generated(({ by }) => by, {
    content: 'id',
    regenerated: options.regenerated,
    refersTo: options.ref && { tables: options.ref, missing: 'bad_reference', unchecked: true },
  })

/** It follows from the record. */
export const derived = (derive: NonNullable<Field['derived']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  derived: derive,
  ...options,
})
