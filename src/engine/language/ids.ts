import type { RecordKind } from './resource.ts'
import { identifier, integer, isIdentifier, type Shape } from './shape.ts'

/** Random values of a sandbox, repeatable with a seed. */
export interface Draws {
  /** A random id with that prefix. */
  id(prefix: string, taken?: (id: string) => boolean): string
  /** The next number of that kind, from 1. */
  count(kind: string): number
}

type Kind = Pick<RecordKind, 'prefix' | 'table'>

/** How an API writes ids. Rows and paths always contain them as strings. */
export interface Ids {
  make(draws: Draws, kind: Kind, taken: (id: string) => boolean): string
  /** Whether it is written like an id of that kind. */
  fits(kind: Kind, id: string): boolean
  /** An id in a body or a fixture. */
  shape(kind: Kind): Shape
  /** As shown in responses. */
  show(id: string): unknown
  /** Kinds have the same ids, so an id does not tell its kind. */
  perKind?: true
}

/** `tas_1xS8…`: the prefix of the kind, then random letters and digits. */
export const prefixedIds: Ids = {
  make: (draws, { prefix }, taken) => draws.id(prefix, taken),
  fits: ({ prefix }, id) => isIdentifier(prefix, id),
  shape: ({ prefix }) => identifier(prefix),
  show: id => id,
}

const number = integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** 1, 2, 3 and so on, for each kind. */
export const numberIds: Ids = {
  make(draws, { table }, taken) {
    for (;;) {
      const id = String(draws.count(table))
      if (!taken(id)) return id
    }
  },
  fits: (_kind, id) => /^[1-9]\d{0,15}$/.test(id),
  shape: () => ({ ...number, find: value => number.find(typeof value === 'string' ? Number(value) : value) }),
  show: Number,
  perKind: true,
}
