import { integer, type Shape, textShape } from '../../basics/shape.ts'
import type { RecordKind } from './resource.ts'

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

const AFTER_PREFIX = /^[A-Za-z0-9_-]{1,64}$/

/** Ids start with the prefix of their kind, such as `tas_` for tasks. */
export const isIdentifier = (prefix: string, id: string) =>
  id.startsWith(`${prefix}_`) && AFTER_PREFIX.test(id.slice(prefix.length + 1))

export const looksLikeIdentifier = (id: string) => /^[a-z][a-z0-9]*_[A-Za-z0-9_-]{1,64}$/.test(id)

export const identifier = (prefix: string) =>
  textShape({ pattern: `^${prefix}_[A-Za-z0-9_-]{1,64}$` }, value =>
    isIdentifier(prefix, value)
      ? undefined
      : { expected: `an id that starts with ${prefix}_, then 1 to 64 of A-Z a-z 0-9 _ -` },
  )

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
