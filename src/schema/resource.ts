import type { AssumptionName } from '../contract/assumptions.ts'
import type { ErrorName, ErrorOf, ErrorParams } from '../contract/errors.ts'
import type { Row } from '../contract/journal-entry.ts'
import type { Fields, Values } from './field.ts'

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
  /** Fields with an index: `table.where` works for these. */
  indexes?: string[]
}

/** What the errors about an id of a path can be said with. */
interface Named {
  id: string
  label: string
}

/** A resource with create, get, update and delete, and mostly list. */
export interface Collection<F extends Fields = Fields> extends RecordKind<F> {
  /** Parameters in it are fields of the record. */
  path: string
  /** In the name of the list operation; the table's name unless given. */
  plural?: string
  /** The name of the list in the list envelope; without it there is no list operation. */
  listAs?: string
  /** The list takes a `filter`. */
  filterable?: true
  /** Not in the API's document: what its resources refer to. */
  neighbour?: true
  /** It belongs to a record of another kind, and goes with it. */
  partOf?: PartOf
  /** Modules that the vendor has here and edgesim has not: null in answers. */
  unsimulated?: readonly string[]
  /** Errors of its own for ids in paths. */
  errors?: {
    missing?: ErrorOf<Named & { path: string; parent: string; nearest?: string }>
    badId?: ErrorOf<Named & { prefix: string }>
    elsewhere?: ErrorOf<Named & { parent: string; owner: string }>
  }
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

export interface PartOf {
  table: string
  /** The field with the id of the record it belongs to. */
  by: string
  /** The name of the list inside that record, in fixtures. */
  list: string
  /** A fixture may leave its ids out: they are made of the record's. */
  unnamed?: true
  /** Answers with the record show the list too, or null when it is empty. */
  shown?: true
  /** Fields of which no two parts of a record may have the same values. */
  distinct?: { fields: string[]; error: ErrorOf<{ field: string; values: string; existing: string }> }
}

/** A part of a record with replace, get and delete of its own; requests that write the record may hold it too. */
export interface Module<F extends Fields = Fields> {
  name: string
  label: string
  section: string
  neighbour?: true
  fields: F
  /** Where it is stored: under `key`, in a record of the table. */
  of: { table: string; key: string }
  /** Fails if the module may not be set so. `at` leads to it in the request. */
  check?(values: Record<string, unknown>, at: string, context: Pick<RuleContext, 'assume' | 'fail'>): void
}

export const record = <F extends Fields>(declaration: RecordKind<F>) => declaration
export const collection = <F extends Fields>(declaration: Collection<F>) => declaration
export const module = <F extends Fields>(declaration: Module<F>) => declaration

export const isCollection = (kind: RecordKind): kind is Collection => 'path' in kind

/** The members of its answers, but for parts that are shown with it. */
export const answered = ({ fields, shownOnce = [], unsimulated = [] }: Collection): string[] => [
  ...['id', 'uri', 'created_at'],
  ...Object.entries(fields).map(([name, { shownAs }]) => shownAs ?? name),
  ...shownOnce,
  ...unsimulated,
]

/** The path of a record: parameters on the way are fields of it. */
export const pathTo = ({ path }: Collection, row: Row) =>
  `${path.includes('{') ? path.replace(/\{(\w+)\}/g, (_, name: string) => String(row[name])) : path}/${row.id}`
