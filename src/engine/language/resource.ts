import type { Row } from '../../contract/journal-entry.ts'
import type { ErrorKind, Fail } from '../error.ts'
import type { Fields, Look, RowOf, Values } from './field.ts'

export interface Caller {
  id: string
  /** The API key of the request. */
  key_id: string
  admin: boolean
}

/** Context for the hooks of a resource. */
export interface RuleContext extends Look {
  caller: Caller
  fail: Fail
  /** Creates another record in the same change. */
  createAlso(table: string, given: Record<string, unknown>): Row
  /** A record of a table as in responses. */
  present(table: string, row: Row): Record<string, unknown>
  newToken(id: string): { token: string; sha256: string }
}

/** A kind of record. */
export interface RecordKind<F extends Fields = Fields> {
  name: string
  /** The table name, also in fixtures. */
  table: string
  /** The name in messages and in the dashboard. */
  label: string
  prefix: string
  /** The section of the API's documentation. */
  section: string
  /** Set by the catalog: the API's document only refers to it. */
  undocumented?: boolean
  fields: F
  /** Fields with an index: `table.where` works for these. */
  indexes?: string[]
}

/** Parameters of the errors about an id in a path. */
interface IdParams {
  id: string
  label: string
}

export type CollectionKind = 'create' | 'list' | 'get' | 'update' | 'delete'

/** A POST or DELETE below a record's path. */
export interface Action<F extends Fields = Fields> {
  method: 'POST' | 'DELETE'
  /** Also its operationId in OpenAPI. */
  id: string
  /** In the dashboard. */
  label: string
  /** Returns the new row, the same row for no change, or null to delete it. May fail. */
  act(row: RowOf<F>, context: RuleContext): Row | null
}

/** A GET below a record's path that lists records of another kind. */
export interface Sublist<F extends Fields = Fields> {
  /** Also its operationId in OpenAPI. */
  id: string
  table: string
  /** The field with the record's id. */
  by?: string
  /** The rows, oldest first, if no field has it. */
  rows?(row: RowOf<F>, context: RuleContext): Row[]
}

/** A resource with create, get, update, delete and usually list operations. */
export interface Collection<F extends Fields = Fields> extends RecordKind<F> {
  /** Its parameters are fields of the record. */
  path: string
  /** In the list operation's name (default: the table name). */
  plural?: string
  /** The items key in the list envelope. Without it, no list operation exists. */
  listAs?: string
  /** The supported operations (default: all). */
  only?: readonly CollectionKind[]
  /** By the last part of their path. */
  actions?: Record<string, Action<F>>
  /** By the last part of their path. */
  lists?: Record<string, Sublist<F>>
  /** The name of `created_at` in responses. */
  createdAs?: string
  /** Responses have no `created_at`. */
  withoutCreatedAt?: true
  /** Responses have no `uri`. */
  withoutUri?: true
  /** Fields that the filter of lists can use. */
  filterable?: readonly string[]
  /** Repeatable list parameters that select items by the values of a field. */
  picks?: Record<string, string>
  /** The prefix of its event types, such as `book` in `book_created.v0`. Without it, it has no events. */
  event?: string
  /** Belongs to a record of another kind, and is deleted with it. */
  partOf?: PartOf
  /** Fields that are always null in responses. */
  alwaysNull?: readonly string[]
  unique?: Unique
  /** Changes over time: rows with that value in an indexed field are updated before each API or `/_sim` request. */
  due?: { field: string; value: unknown; applyDueChanges(row: RowOf<F>, context: RuleContext): Row }
  /** Errors for ids in paths (default: the general errors). */
  errors?: {
    missing?: ErrorKind<IdParams & { path: string; parent: string; nearest?: string }>
    badId?: ErrorKind<IdParams & { prefix: string }>
    /** For the id of another kind of record (default: `badId`). */
    otherKind?: ErrorKind<IdParams & { prefix: string }>
    elsewhere?: ErrorKind<IdParams & { parent: string; owner: string }>
    /** For an update without values (default: accepted). */
    noValues?: ErrorKind<IdParams & { allowed: string[] }>
  }
  /** Moved fields, with the error that names the new place. */
  moved?: Record<string, ErrorKind<{ field: string }>>
  /** Fields for fixtures and exports, not for requests. */
  stored?: Fields
  /** Fields that only the create response contains. Null in other responses. */
  shownOnce?: string[]
  /** The owner field, for resources that may be visible only to their owner and to admins. */
  ownedBy?: string
  /** Returns fields to add to the row, and values for this response only. May fail. */
  onCreate?(
    given: Partial<Values<F>>,
    context: RuleContext,
    id: string,
  ): { row: Record<string, unknown>; once?: Record<string, string> }
  /** May change the fields of the request. Null unsets a field. */
  onUpdate?(given: Partial<Values<F>>, context: RuleContext, before: RowOf<F>): Record<string, unknown>
  /** Fails if the row must not be deleted. */
  checkDelete?(row: RowOf<F>, context: RuleContext): void
  /** Fails if the row must not be stored. `before` is the row that it replaces. */
  check?(row: RowOf<F>, before: RowOf<F> | undefined, context: RuleContext): void
}

export interface PartOf {
  table: string
  /** The field with the parent's id. */
  by: string
  /** The name of the list inside the parent, in fixtures. */
  list: string
  /** Ids are optional in fixtures, and derived from the parent's id. */
  unnamed?: true
  /** Responses with the parent contain the list. */
  shown?: true
}

/** Values of this field or list are unique among these tables. */
export interface Unique {
  field: string
  among: readonly string[]
  /** None if no request can set the field. */
  error?: ErrorKind<{ field: string; value: string; existing: string }>
  except?(value: string): boolean
  /** Unique only among records with the same value of this field. */
  within?: string
}

/** A part of a record with its own replace, get and delete operations. Writes of the record may also contain it. */
export interface Module<F extends Fields = Fields> {
  name: string
  label: string
  section: string
  undocumented?: boolean
  fields: F
  /** Stored under `key` in a record of `table`. */
  of: { table: string; key: string }
  /** Fails for invalid values. `at` is the prefix of field names in the request. */
  check?(values: Values<F>, at: string, context: Pick<RuleContext, 'assume' | 'fail'>): void
}

/** A module declaration, for one or more kinds of records. */
export interface ModuleDeclaration<F extends Fields = Fields> extends Pick<Module<F>, 'label' | 'fields' | 'check'> {
  /** The name in records, and the last part of the path. */
  key: string
  /** Table to section of the API's documentation. */
  of: Record<string, string>
}

/** Objects in a list of a record, each with its own path, which contains one of its values. */
export interface Entries<F extends Fields = Fields> {
  name: string
  label: string
  section: string
  undocumented?: boolean
  fields: F
  /** The field in the path. */
  by: string
  /** Stored under `key` in a record of `table`. `parameter` is the path parameter with the record's id. */
  of: { table: string; key: string; parameter: string }
  /** For an unknown object. */
  missing: ErrorKind<{ id: string; value: string; allowed: string[] }>
}

/** Declarations keep the types of their fields: their hooks and rows have them. */
export const record = <F extends Fields>(declaration: RecordKind<F>) => declaration
export const collection = <F extends Fields>(declaration: Collection<F>) => declaration
export const module = <F extends Fields>(declaration: ModuleDeclaration<F>) => declaration
export const entries = <F extends Fields>(declaration: Entries<F>) => declaration

export const isCollection = (kind: RecordKind): kind is Collection => 'path' in kind

export const pathTo = ({ path }: Collection, row: Row) =>
  `${path.includes('{') ? path.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name])) : path}/${row.id}`
