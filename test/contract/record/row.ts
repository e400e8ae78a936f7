import type { Assumed } from '../../../src/contract/assumptions.ts'
import type { CallOptions } from '../../support/http.ts'

/** One request to the world of world.ts, and what the vendor documents for it. */
export interface Documented {
  what: string
  /** Method and path. */
  request: string
  body?: unknown
  status: number
  /** The vendor's number; null for an error that it has no number for; absent for a success. */
  code?: number | null
  /** Under which assumptions, where these are not the defaults. */
  assume?: Assumed
  /** Requests that must succeed before. */
  first?: { request: string; body?: unknown }[]
  how?: CallOptions
}

type More = Pick<Documented, 'assume' | 'first' | 'how'>

export const refused = (
  code: number | null,
  status: number,
  what: string,
  request: string,
  body?: unknown,
  more?: More,
) => ({ what, request, body, status, code, ...more }) satisfies Documented
export const accepted = (status: number, what: string, request: string, body?: unknown, more?: More) =>
  ({ what, request, body, status, ...more }) satisfies Documented

export const long = (length: number) => 'x'.repeat(length)
export const times = <T>(count: number, each: (i: number) => T) => Array.from({ length: count }, (_, i) => each(i))
