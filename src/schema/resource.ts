import type { AssumptionName } from '../contract/assumptions.ts'
import type { ErrorName, ErrorOf, ErrorParams } from '../contract/errors.ts'
import type { Row } from '../contract/journal-entry.ts'
import type { Fields, Values } from './field.ts'

export interface Caller {
  /** Of the user or bot. */
  id: string
  /** Of the API key that the request was sent with. */
  key_id: string
  admin: boolean
}

/** What the hooks of a resource can use. */
export interface RuleContext {
  caller: Caller
  assume(name: AssumptionName): string
  fail<N extends ErrorName>(error: N, params: ErrorParams<N>): never
  get(table: string, id: string): Row | undefined
  /** The rows of this resource, or of another table, whose indexed field has that value. */
  where(field: string, value: unknown, table?: string): Row[]
  all(table: string): Iterable<Row>
  /** Creates another record in the same change. */
  createAlso(table: string, given: Record<string, unknown>): Row
  /** Of the sandbox's clock, in milliseconds. */
  now(): number
  vendor: string
  /** For the key with that id. */
  newToken(id: string): { token: string; sha256: string }
}

/** A kind of record that a fixture may have. */
export interface RecordKind<F extends Fields = Fields> {
  name: string
  /** The name of its table, and of its list in a fixture. */
  table: string
  /** The name in messages and on the page. */
  label: string
  prefix: string
  /** Of docs/api.md. */
  section: string
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

/** What a POST or DELETE of a path below a record does. */
export interface Action {
  method: 'POST' | 'DELETE'
  /** Also its operationId in OpenAPI. */
  id: string
  /** On the page. */
  label: string
  /** Returns the row after it, or null if the record is deleted; the same row if nothing changes. May fail. */
  act(row: Row, context: RuleContext): Row | null
}

/** A GET of a path below a record, which lists records of another kind. */
export interface Sublist {
  /** Also its operationId in OpenAPI. */
  id: string
  table: string
  /** The field with the id of the record, or the rows. */
  rows: string | ((row: Row, context: RuleContext) => Iterable<Row>)
  /** The list only has rows that one of these filters is true for. They are texts of the record, in `field`. */
  selectors?: {
    field: string
    of(row: Row): string[]
    /** What they call a row of the list. */
    as: string
    /** For one that cannot be read. */
    error: ErrorOf<{ field: string; why: string }>
  }
}

/** A resource with create, get, update, delete and usually list. */
export interface Collection<F extends Fields = Fields> extends RecordKind<F> {
  /** Parameters in it are fields of the record. */
  path: string
  /** In the name of the list operation; the table's name unless given. */
  plural?: string
  /** The name of the list in the list envelope; without it there is no list operation. */
  listAs?: string
  /** The operations it has; all of them unless given. */
  only?: readonly CollectionKind[]
  /** By the last part of their path. */
  actions?: Record<string, Action>
  /** By the last part of their path. */
  lists?: Record<string, Sublist>
  /** The name of `created_at` in answers. */
  createdAs?: string
  /** Answers do not have its `uri`. */
  withoutUri?: true
  /** The list takes a `filter`, which may name these members of its items. */
  filterable?: readonly string[]
  /** Parameters of the list that pick items: each may be repeated, and gives values of this field. */
  picks?: Record<string, string>
  /** The word for it in the types of events, such as `ip_policy` in `ip_policy_created.v0`; without it there are none. */
  event?: string
  /** Not described in the API's document, which only refers to it. */
  neighbour?: true
  /** It belongs to a record of another kind, and is deleted with it. */
  partOf?: PartOf
  /** Members that answers have and no request can set. */
  alwaysNull?: readonly string[]
  /** No other record of these tables may have a value of this field, or of this list. */
  unique?: {
    field: string
    among: readonly string[]
    error: ErrorOf<{ field: string; value: string; existing: string }>
    except?(value: string): boolean
    /** Only among records with the same value of this field. */
    within?: string
  }
  /** What follows the clock: rows whose indexed field has that value are looked at before each request to the API or `/_sim`. */
  due?: { field: string; value: unknown; applyDueChanges(row: Row, context: RuleContext): Row }
  /** Its own errors for ids in paths; the general ones where it has none. */
  errors?: {
    missing?: ErrorOf<IdParams & { path: string; parent: string; nearest?: string }>
    badId?: ErrorOf<IdParams & { prefix: string }>
    /** For the id of another kind of record, where `badId` is not for that too. */
    otherKind?: ErrorOf<IdParams & { prefix: string }>
    elsewhere?: ErrorOf<IdParams & { parent: string; owner: string }>
    /** For an update that gives no value, which is accepted unless there is one. */
    noValues?: ErrorOf<IdParams & { allowed: string[] }>
  }
  /** Fields that are somewhere else now, with the error that says where. */
  moved?: Record<string, ErrorOf<{ field: string }>>
  /** Fields that a fixture or an export may have, and a request may not. */
  stored?: Fields
  /** Fields that only the answer to create shows; null in all others. */
  shownOnce?: string[]
  /** The field that names the owner, for resources that may be visible to their owner and admins only. */
  ownedBy?: string
  /** Returns fields to add to the row, and values that only this answer shows. May fail. */
  onCreate?(
    given: Partial<Values<F>>,
    context: RuleContext,
    id: string,
  ): { row: Record<string, unknown>; once?: Record<string, string> }
  /** May change the fields that a request gave; null unsets one. */
  onUpdate?(given: Partial<Values<F>>, context: RuleContext, before: Row): Record<string, unknown>
  /** Fails if the row may not be deleted. */
  checkDelete?(row: Row, context: RuleContext): void
  /** Fails if the row may not be stored; `before` is the row it replaces. */
  check?(row: Row, before: Row | undefined, context: RuleContext): void
}

export interface PartOf {
  table: string
  /** The field with the id of the record it belongs to. */
  by: string
  /** The name of the list inside that record, in fixtures. */
  list: string
  /** A fixture may leave out its ids: they are made from the id of the record. */
  unnamed?: true
  /** Answers with the record show the list. */
  shown?: true
  /** Two parts of a record must not have the same values in all of these fields. */
  distinct?: { fields: string[]; error: ErrorOf<{ field: string; values: string; existing: string }> }
}

/** A part of a record with its own replace, get and delete. Requests that write the record may contain it too. */
export interface Module<F extends Fields = Fields> {
  name: string
  label: string
  section: string
  neighbour?: boolean
  fields: F
  /** It is stored under `key` in a record of `table`. */
  of: { table: string; key: string }
  /** Fails if the module may not have these values. `at` is the prefix of its fields in the request. */
  check?(values: Record<string, unknown>, at: string, context: Pick<RuleContext, 'assume' | 'fail'>): void
}

/** A module as it is declared: for one kind of record or several. */
export interface ModuleDeclaration<F extends Fields = Fields> extends Pick<Module<F>, 'label' | 'fields' | 'check'> {
  /** Its name in the records, and the last part of its path. */
  key: string
  /** The tables of the records, each with the section of docs/api.md. Those of section 10 are neighbours. */
  of: Record<string, string>
}

/** Objects in a list of a record, each with a path of its own, in which one of its values names it. */
export interface Entries<F extends Fields = Fields> {
  name: string
  label: string
  section: string
  neighbour?: true
  fields: F
  /** The field that names one. */
  by: string
  /** The list is stored under `key` in a record of `table`, whose id is this parameter of the path. */
  of: { table: string; key: string; parameter: string }
  /** For one that is not in the list. */
  missing: ErrorOf<{ id: string; value: string; allowed: string[] }>
}

export const record = <F extends Fields>(declaration: RecordKind<F>) => declaration
export const collection = <F extends Fields>(declaration: Collection<F>) => declaration
export const module = <F extends Fields>(declaration: ModuleDeclaration<F>) => declaration
export const entries = <F extends Fields>(declaration: Entries<F>) => declaration

export const isCollection = (kind: RecordKind): kind is Collection => 'path' in kind

/** The path of a record. Parameters in it are fields of the record. */
export const pathTo = ({ path }: Collection, row: Row) =>
  `${path.includes('{') ? path.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name])) : path}/${row.id}`
