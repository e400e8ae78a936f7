import type { EventDelivery } from '../contract/event-delivery.ts'
import type { JournalEntry } from '../contract/journal-entry.ts'
import type { ApiError } from './error.ts'
import type { Caller, Catalog, Collection, Draws, Operation, Row } from './language/index.ts'
import type { Ask, Assumed, Assumption, Question } from './question.ts'
import type { Change, Tables } from './state/index.ts'
import type { Token } from './token.ts'

/** A reply before it is sent: a body, or pieces of JSON instead. */
export interface Reply {
  status: number
  body?: Record<string, unknown>
  /**
   * Pieces of JSON instead of `body`, because the text of rows is cached. The journal stores the pieces. Joined texts of
   * lists took a sixth of the time of a list, because every garbage collection moved them.
   */
  text?: readonly string[]
  headers?: Record<string, string>
  /** The error in it, for the journal. */
  failure?: Failure
}

/** The error in a response. */
export interface Failure {
  code?: string
  message: string
}

/** The reply to a call that fails. */
export interface ErrorReply extends Reply {
  /** The code in its body, by which the coverage report groups errors (default: the status). */
  code?: string
}

/** The parts of a call that an API sees. */
export interface Visit {
  readonly sandbox: {
    readonly name: string
    readonly ids: Draws
    readonly tables: Tables
    readonly origin: { readonly vendor: string }
  }
  readonly tables: Tables
  readonly entry: Pick<JournalEntry, 'method' | 'path'>
  readonly operation: Operation | undefined
  readonly sourceIp: string
  readonly query: URLSearchParams
  readonly baseUrl: string
  /** The value of a question, which the explanation of the response mentions. */
  assume: Ask
  /** The same without mentioning it. */
  assumed: Ask
  /** The time on the sandbox clock, in milliseconds. The explanation mentions a frozen clock. */
  now(): number
  warn(text: string): void
}

/** The head of a request. Its secret headers are already removed when the request is admitted. */
export interface Head {
  method?: string | undefined
  headers: Record<string, string | string[] | undefined>
}

/** What identifies the sandbox and the caller of a request, read before secret headers are removed. */
export interface Credentials {
  /** The original header, which the journal never contains. */
  authorization?: string | undefined
  /** Selects the sandbox. Without one, the sandbox is `default`. */
  token?: Token | undefined
}

/** A page of a list. */
export interface Page {
  limit: number
  /** The order number of the row after which the page starts. */
  after?: number | undefined
  /** Or the number of rows before it. */
  skip?: number | undefined
}

export interface Admitted {
  caller: Caller
  /** As shown in the journal. */
  shown: JournalEntry['caller']
}

/** An API to simulate. The functions have defaults, see `defineApi`. */
export interface Api {
  readonly name: string
  readonly catalog: Catalog
  /** Its documentation, whose sections explanations name. */
  readonly document?: string
  /** What its documentation leaves open, by name. */
  readonly assumptions: Readonly<Record<string, Assumption>>
  /** Names for several values. */
  readonly presets?: Readonly<Record<string, Assumed>>
  identify(head: Head): Credentials
  /** Lower-case names of headers that the journal never contains, beside those of HTTP. */
  secretHeaders?: readonly string[]
  /** Names the caller, or fails. */
  authenticate(visit: Visit, credentials: Credentials): Admitted
  /** Fails if the call must not be executed. Its caller is already in the journal. */
  gate?(visit: Visit, head: Head): void
  /** How many requests it allows. */
  rateLimit?(visit: Visit): RateLimit | undefined
  /** Whether a path is served, which an assumption may change. */
  serves?(visit: Visit, operation: Operation): boolean
  pages: Pages
  /** A query parameter that selects items of lists (default: none). */
  listFilter?: ListFilter
  errorReply(error: ErrorFacts, vendor: string, operationId?: string): ErrorReply
  /** The section of its documentation about an error, or about another reason for a response (default: none). */
  sectionOf?(decidedBy: string): string
  /** The host of the real API, which `--as` stands in for. */
  host?(vendor: string): string | undefined
  /** Headers of every request, beside the token. */
  requestHeaders?(vendor: string): Record<string, string>
  /** Its own response header with the id of the request in the journal. */
  operationHeader?(vendor: string): string
  /** The operation of a first request, in the start message and in the dashboard. */
  firstOperation: string
  openapi: OpenapiParts
  /** The names of fields of bodies other than those of records, for expectations. */
  bodyFields: readonly string[]
  events?: {
    types: readonly string[]
    /** Of their ids, which are generated after the change is logged. */
    prefix: string
    deliveriesOf(change: Change, before: Tables, context: EventContext): EventDelivery[]
  }
  /** Records with traffic of their own, to which scenario rules apply. */
  traffic?: Traffic
}

type Json = Record<string, unknown>

export interface RateLimit {
  requests: number
  /** A rolling window, as a duration and in milliseconds. */
  per: string
  perMs: number
  /** The assumption that set it. Recorded for a rejected request. */
  assumption?: Question
}

/** What an API adds to its OpenAPI document. */
export interface OpenapiParts {
  title: string
  description?: string
  securitySchemes?: Json
  /** Parameters of every operation. */
  parameters?(vendor: string): Record<string, Json>
  /** The JSON Schema of its errors. */
  error: Json
  /** More about an operation, such as `x-…`, or another summary. */
  extend?(operation: Operation): Json
}

export interface Traffic {
  /** The condition of rules that names such a record. */
  condition: string
  tables: readonly string[]
}

/** How lists are divided into pages. */
export interface Pages {
  /** The query parameters of lists. */
  parameters: Readonly<Record<string, PageParameter>>
  /** Other names for them. */
  aliases?: readonly string[]
  read(visit: Visit, kind: Collection): Page
  /** The JSON before and after the items. */
  envelope(visit: Visit, list: ListFacts): [before: string, after: string]
  /** The JSON Schema of the same, by the key of the items. */
  schema(listAs: string, items: Json): Json
}

export interface PageParameter {
  schema: Json
  description?: string
  /** Its value is the id of an item. */
  isItem?: true
}

/** A filter for lists of kinds with `filterable` fields. */
export interface ListFilter {
  /** The name of its query parameter. */
  parameter: string
  /** The description of the parameter. */
  describe(kind: Collection): string
  /** Whether a request can have the parameter. */
  isAllowed(visit: Visit): boolean
  /** The test of an item of a response. Undefined for a filter without effect. Fails if the filter is invalid. */
  read(visit: Visit, kind: Collection, filter: string): ((item: Record<string, unknown>) => boolean) | undefined
}

export interface ListFacts {
  kind: Collection
  uri: string
  page: Page
  shown: readonly Row[]
  hasMore: boolean
  /** The number of rows, before any filter. */
  total: number
  /** The rest of the query of the next page. */
  rest: string
}

export interface ErrorFacts extends Pick<ApiError, 'kind' | 'params' | 'message' | 'headers'> {
  /** The code that a scenario asks for. */
  code?: number | null
}

export interface EventContext {
  caller: Caller
  baseUrl: string
  sandbox: {
    name: string
    tables: Tables
    ids: { id(prefix: string): string; fixed(prefix: string, name: string): string }
  }
  present(kind: Collection, row: Row, tables: Tables): Record<string, unknown>
}
