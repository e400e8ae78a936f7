import type { ApiError } from '../contract/errors.ts'
import type { EventDelivery } from '../contract/event-delivery.ts'
import type { JournalEntry } from '../contract/journal-entry.ts'
import type { Token } from '../contract/token.ts'
import type { Caller, Catalog, Collection, Draws, Operation, Row } from './language/index.ts'
import type { Change, Tables } from './state/index.ts'

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
  // biome-ignore lint/suspicious/noExplicitAny: each assumption has its own values
  assume(name: any): any
  // biome-ignore lint/suspicious/noExplicitAny: each assumption has its own values
  assumed(name: any): any
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
  identify(head: Head): Credentials
  /** Names the caller, or fails. */
  authenticate(visit: Visit, credentials: Credentials): Admitted
  /** Fails if the call must not be executed. Its caller is already in the journal. */
  gate?(visit: Visit, head: Head): void
  /** Whether a path is served, which an assumption may change. */
  serves?(visit: Visit, operation: Pick<Operation, 'neighbour'>): boolean
  pages: Pages
  errorReply(error: ErrorFacts, vendor: string, operationId?: string): Reply
  /** The names of fields of bodies other than those of records, for expectations. */
  bodyFields: readonly string[]
  events?: {
    types: readonly string[]
    deliveriesOf(change: Change, before: Tables, context: EventContext): EventDelivery[]
  }
  /** Tables of records that scenario rules can name under `edge`. */
  edges?: readonly string[]
}

/** How lists are divided into pages. */
export interface Pages {
  /** The query parameters of lists, and other names for them. */
  parameters: readonly string[]
  aliases?: readonly string[]
  read(visit: Visit, kind: Collection): Page
  /** The JSON before and after the items. */
  envelope(visit: Visit, list: ListFacts): [before: string, after: string]
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

export type ErrorFacts = Pick<ApiError, 'row' | 'params' | 'message' | 'headers'>

export interface EventContext {
  caller: Caller
  baseUrl: string
  sandbox: { name: string; tables: Tables; ids: { id(prefix: string): string; account(): string } }
  present(kind: Collection, row: Row, tables: Tables): Record<string, unknown>
}
