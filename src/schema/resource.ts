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

/** What the rules of a resource can use. */
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
  /** The name in messages and on the page. */
  label: string
  prefix: string
  /** docs/api.md */
  section: string
  fields: F
  /** Records inside a record, such as the routes of an edge. */
  parts?: { [list: string]: { name: string; label: string; prefix: string; fields: Fields } }
  /** Fields with an index: `table.where` works for these. */
  indexes?: string[]
}

/** A resource with create, get, list, update and delete. */
export interface Collection<F extends Fields = Fields> extends RecordKind<F> {
  path: string
  /** The name of the list in the list envelope. */
  listAs: string
  /** Fields a fixture or an export may hold, and no request. */
  stored?: Fields
  /** Fields that only the answer to create shows; null in all others. */
  shownOnce?: string[]
  /** The field that names the owner, for resources that may be visible to their owner and admins only. */
  ownedBy?: string
  /** Fields to add to the row, and what only this answer shows. May fail. */
  onCreate?(
    given: Partial<Values<F>>,
    context: RuleContext,
  ): { row: Record<string, unknown>; once?: Record<string, string> }
  /** May change the fields that a request gave. */
  onUpdate?(given: Partial<Values<F>>, context: RuleContext): Partial<Values<F>>
  /** Fails if the row may not be stored; `before` is the row it replaces. */
  check?(row: Row, before: Row | undefined, context: RuleContext): void
}

/** A part of a record with replace, get and delete of its own. */
export interface Module<F extends Fields = Fields> {
  name: string
  label: string
  path: string
  section: string
  fields: F
  /** Where it is stored: under `key`, in a record of the table or in one of the record's parts. */
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
