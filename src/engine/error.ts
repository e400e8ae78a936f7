import { didYouMean } from '../basics/nearest.ts'
import type { Received } from '../basics/problem.ts'
import { capital, withArticle } from '../basics/text.ts'

export type Params = Record<string, unknown>

/** An error: its name, its status and its message. Code that has the parameters of the message fails with it. */
export interface ErrorKind<P = never> {
  /** As in the journal. `defineErrors` sets it. */
  name: string
  status: number
  message: (params: P) => string
}

export const error = <P>(status: number, message: (params: P) => string): ErrorKind<P> => ({
  name: '',
  status,
  message,
})

export const allowed = (names: string[] | undefined) => (names?.length ? ` Allowed: ${names.join(', ')}.` : '')
export const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`)
export const notFound = (what: string) => `${capital(what)} not found.`
export const listed = (p: { users: string[]; more: number }) =>
  `${p.users.join(', ')}${p.more > 0 ? ` and ${p.more} more` : ''}`

/** Without an expected value, the field is missing. */
export const mustBe = (p: Received) =>
  p.expected === ''
    ? `"${p.field}" is required.`
    : `"${p.field}" must be ${p.expected}, got ${p.received}.${didYouMean(p.nearest)}`
export const whySentence = (p: { why: string }) => sentence(p.why)
export type Reference = { field: string; id: string; label: string; nearest?: string }
export const mustExist = (p: Reference) =>
  `"${p.field}" must be the id of an existing ${p.label}, got ${JSON.stringify(p.id)}.${didYouMean(p.nearest)}`
export const notAnIdOf = (p: { id: string; prefix: string; label: string }) =>
  `${p.id} is not the id of ${withArticle(p.label)}. These ids start with ${p.prefix}_.`
export const stillUsed = (p: { id: string; label: string; users: string[]; more: number }) =>
  `The ${p.label} ${p.id} is used by ${listed(p)}. Change or delete them first. To detach it instead: --assume delete_referenced=detach.`

/** Gives each error its name. */
export const defineErrors = <T extends Record<string, ErrorKind<never>>>(table: T): T => {
  for (const [name, kind] of Object.entries(table)) kind.name = name
  return table
}

/** An error that ends a call. The API turns it into a response. */
export class ApiError extends Error {
  readonly params: Params

  private constructor(
    readonly kind: ErrorKind,
    params: unknown,
    readonly headers: Record<string, string>,
  ) {
    super(kind.message(params as never))
    this.params = params as Params
  }

  static of<P>(kind: ErrorKind<P>, params: P, headers: Record<string, string> = {}): ApiError {
    return new ApiError(kind as unknown as ErrorKind, params, headers)
  }

  /** The name of the error, as in the journal. */
  get error(): string {
    return this.kind.name
  }
}

export function fail<P>(kind: ErrorKind<P>, params: P, headers?: Record<string, string>): never {
  throw ApiError.of(kind, params, headers)
}

export type Fail = typeof fail
