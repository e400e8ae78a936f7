import type { OperationName } from './shapes.ts'

/** Which requests match: those that meet all given conditions. */
export interface Pattern {
  operation?: OperationName
  method?: string
  /** `*` stands for any part of a segment, `**` for any segments. */
  path?: string
  /** A status, or a class like `4xx`. */
  status?: number | string
  /** A user, a bot, or a key. */
  caller?: string
  /**
   * By name: `body.description`, `query.limit`, `headers.user-agent`, `response.id`. A value, or `{ contains }`, `{ matches }`, `{ absent }`, `{ gt }`, `{ gte }`, `{ lt }`, `{ lte }`.
   */
  where?: Record<string, unknown>
  /** With one of these four it is about what came to edges: connections and requests. */
  edge?: string
  verdict?: 'allow' | 'refuse'
  source_ip?: string
  route?: string
}

/** What the journal should contain: a number of matching requests, or a sequence of them. */
export interface Expectation extends Pattern {
  count?: number
  at_least?: number
  at_most?: number
  sequence?: Pattern[]
}

export interface Difference {
  field: string
  expected: unknown
  /** Left out where there is nothing. */
  received?: unknown
}

/** A request that is nearly what was expected, and how it differs. */
export interface Miss {
  id: string
  /** Null for a connection. */
  method: string | null
  path: string | null
  status: number | null
  differs: Difference[]
}
