import type { AssumptionName } from '../assumptions.ts'
import type { ErrorName, ErrorOf, ErrorParams } from '../errors.ts'
import type { Fields, Values } from './field.ts'
import type { Row } from './row.ts'

export interface Caller {
  /** The user or bot, and the key it came with. */
  id: string
  key_id: string
  admin: boolean
}

/** What a resource's own rules may ask of the world around them. */
export interface RuleContext {
  caller: Caller
  assume(name: AssumptionName): string
  fail<N extends ErrorName>(error: N, params: ErrorParams<N>): never
  /** The rows of this resource whose indexed field has that value. */
  where(field: string, value: unknown): Row[]
  newToken(): { token: string; sha256: string }
}

/** A kind of record that fixtures hold. */
export interface RecordKind<F extends Fields = Fields> {
  name: string
  /** Of its table, and of its list in a fixture. */
  table: string
  /** As people say it, for messages and the page. */
  label: string
  prefix: string
  /** docs/api.md */
  section: string
  fields: F
  /** Records inside a record, such as the routes of an edge. */
  parts?: { [list: string]: { name: string; label: string; prefix: string; fields: Fields } }
  /** Fields that tables can be asked by. */
  indexes?: string[]
}

/** A resource with create, get, list, update and delete. */
export interface Collection<F extends Fields = Fields> extends RecordKind<F> {
  path: string
  /** The name of the list in the list envelope. */
  listAs: string
  /** Fields a fixture or an export may hold, and no request. */
  stored?: Fields
  /** Null in every answer but that of the create. */
  shownOnce?: string[]
  /** Who a row belongs to, where only its owner and admins may be meant to see it. */
  ownedBy?: string
  /** The row's fields and what only this answer shows, or a failure. */
  onCreate?(
    given: Partial<Values<F>>,
    context: RuleContext,
  ): { row: Record<string, unknown>; once?: Record<string, string> }
  /** The given fields as they are to be taken. */
  onUpdate?(given: Partial<Values<F>>, context: RuleContext): Partial<Values<F>>
  /** Refuses a row that may not be stored; `before` is what it replaces. */
  check?(row: Row, before: Row | undefined, context: RuleContext): void
}

/** A part of a record that requests replace, get and delete as a whole. */
export interface Module<F extends Fields = Fields> {
  name: string
  label: string
  path: string
  section: string
  fields: F
  /** Where it is kept: in the table's record, or in one of its parts, under `key`. */
  of: { table: string; part?: string; key: string }
  /** Which path parameters name the record and the part. */
  params: { record: string; part?: string }
  errors: {
    missing: ErrorOf<{ id: string; label: string; nearest?: string }>
    badId: ErrorOf<{ id: string; label: string; prefix: string }>
    partMissing?: ErrorOf<{ id: string; edge: string; nearest?: string }>
    partElsewhere?: ErrorOf<{ id: string; edge: string; owner: string }>
  }
}

export const record = <F extends Fields>(declaration: RecordKind<F>) => declaration
export const collection = <F extends Fields>(declaration: Collection<F>) => declaration
export const module = <F extends Fields>(declaration: Module<F>) => declaration

export const isCollection = (kind: RecordKind): kind is Collection => 'path' in kind
