import type { Field } from './field.ts'
import { textShape } from './shape.ts'

/** It is made once, with the record. */
export const made = (make: NonNullable<Field['made']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  made: make,
  ...options,
})

/** The time of the last change. */
export const changedAt = () => made(({ at }) => at, { shape: textShape({ format: 'date-time' }), remade: true })

/** Who made the record, as an id or as a reference; with `remade`, who changed it last. */
export const madeBy = (options: { ref?: string[]; remade?: true } = {}) =>
  made(({ by }) => by, {
    holds: 'id',
    remade: options.remade,
    refersTo: options.ref && { tables: options.ref, missing: 'bad_reference', unchecked: true },
  })

/** It follows from the record. */
export const derived = (derive: NonNullable<Field['derived']>, options: Partial<Field> = {}): Field => ({
  shape: textShape(),
  derived: derive,
  ...options,
})
