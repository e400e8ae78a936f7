import { type Shape, textShape } from '../../basics/shape.ts'
import type { Row } from '../../contract/journal-entry.ts'
import { errors } from '../errors.ts'
import type { Field, GenerateContext, Look } from './field.ts'

type Json = Record<string, unknown>

/** The context of a generated value that reads these other values. */
export type Given<G extends object> = Omit<GenerateContext, 'given'> & { given: G }

/** Options of a value that is a string unless they have another shape. */
type Options<O> = O & Partial<Omit<Field, 'shape'>>
type TypeOf<O> = O extends { shape: Shape<infer T> } ? T : string

/** Generated once, when the record is created. */
export const generated = <G extends object = Json, O extends { shape?: Shape } = object>(
  make: (context: Given<G>) => unknown,
  options?: Options<O>,
) => ({ shape: textShape(), generated: make, ...options }) as Field<TypeOf<O>>

/** Computed from the record. */
export const derived = <V extends object = Json, O extends { shape?: Shape } = object>(
  derive: (values: V, row: Row, look: Look) => unknown,
  options?: Options<O>,
) => ({ shape: textShape(), derived: derive, ...options }) as Field<TypeOf<O>>

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
