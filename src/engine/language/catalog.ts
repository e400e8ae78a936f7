import { listOf } from '../../basics/shape.ts'
import type { Field, Fields } from './field.ts'
import { group, groups } from './group.ts'
import { type Ids, prefixedIds } from './ids.ts'
import {
  collectionOperations,
  entryOperations,
  moduleOperations,
  type Operation,
  operationsBelow,
} from './operation.ts'
import {
  type Collection,
  type Entries,
  isCollection,
  type Module,
  type ModuleDeclaration,
  type RecordKind,
} from './resource.ts'

/** The declarations of an API: its kinds of records by family, modules, and lists of objects with their own paths. */
export interface Declarations {
  families: Record<string, readonly RecordKind[]>
  modules?: readonly ModuleDeclaration[]
  entryLists?: readonly Entries[]
  /** Whether the API's document only refers to the resources of a section (default: none). */
  isUndocumented?(section: string): boolean
  /** Clients send null, `""` and `{}` for fields that they leave out (default: null clears a field in an update). */
  blankMeansOmitted?: true
  keys?: Keys
  /** Default: with the prefix of their kind. */
  ids?: Ids
}

/** Where an API with tokens keeps them: each key has a token and belongs to an owner, who calls with it. */
export interface Keys {
  /** The table of keys. */
  table: string
  /** The tables of owners. An admin is added to the first one if a fixture has none. */
  owners: readonly string[]
  /** An owner, in messages. */
  owner: string
}

export type Part = Collection & Required<Pick<Collection, 'partOf'>>

/** The same, compiled: each kind with its modules and indexes, and the operations on them. */
export class Catalog {
  readonly kinds: readonly RecordKind[]
  readonly collections: readonly Collection[]
  /** Each module, for each kind of record. */
  readonly modules: readonly Module[]
  readonly entryLists: readonly Entries[]
  readonly operations: readonly Operation[]
  readonly tableNames: readonly string[]
  /** The top-level lists of a fixture. Parts are inside their parents. */
  readonly fixtureTables: readonly string[]
  readonly parts: readonly Part[]
  readonly blankMeansOmitted: boolean
  readonly keys: Keys | undefined
  readonly ids: Ids
  /** Tables of records with an owner and a token. */
  readonly owned: readonly string[]
  readonly #byTable: ReadonlyMap<string, RecordKind>
  readonly #partsOf: ReadonlyMap<string, readonly Collection[]>
  readonly #families: ReadonlyMap<string, string>

  constructor(declarations: Declarations) {
    const { families, modules = [], entryLists = [], keys, ids = prefixedIds } = declarations
    const { isUndocumented = () => false } = declarations
    const described = <R extends { section: string }>(resource: R) => ({
      ...resource,
      undocumented: isUndocumented(resource.section),
    })
    this.ids = ids
    this.blankMeansOmitted = declarations.blankMeansOmitted === true
    this.keys = keys
    const declared = Object.values(families).flat()
    this.modules = modules.flatMap(module => modulesOf(module, declared)).map(described)
    this.entryLists = entryLists.map(described)
    this.kinds = declared.map(kind => described(withIds(withModules(kind, this.modules, declared), ids)))
    this.collections = this.kinds.filter(isCollection)
    this.#byTable = new Map(this.kinds.map(kind => [kind.table, kind]))
    this.tableNames = [...this.#byTable.keys()]
    this.parts = this.collections.filter(isPart)
    this.owned = this.collections.filter(({ ownedBy }) => ownedBy).map(({ table }) => table)
    this.#partsOf = new Map(
      this.tableNames.map(table => [table, this.parts.filter(({ partOf }) => partOf.table === table)]),
    )
    this.fixtureTables = this.kinds.filter(kind => !isPart(kind)).map(({ table }) => table)
    this.#families = new Map(Object.entries(families).flatMap(([name, own]) => own.map(({ table }) => [table, name])))
    this.operations = [
      ...this.collections.flatMap(collectionOperations),
      ...this.collections.flatMap(operationsBelow),
      ...this.entryLists.flatMap(resource => entryOperations(resource, this.holderOf(resource))),
      ...this.modules.flatMap(resource => moduleOperations(resource, this.holderOf(resource))),
    ]
  }

  kindOf(table: string): RecordKind {
    return this.#byTable.get(table)!
  }

  familyOf({ table }: RecordKind): string {
    return this.#families.get(table)!
  }

  /** The kinds of records that belong to records of that table. */
  partsOf(table: string): readonly Collection[] {
    return this.#partsOf.get(table) ?? []
  }

  holderOf({ of }: Module | Entries): Collection {
    return this.kindOf(of.table) as Collection
  }
}

export const isPart = (kind: RecordKind): kind is Part => (kind as Partial<Collection>).partOf !== undefined

const modulesOf = ({ key, of, ...module }: ModuleDeclaration, declared: readonly RecordKind[]): Module[] =>
  Object.entries(of).map(([table, section]) => ({
    ...module,
    name: `${declared.find(kind => kind.table === table)!.name}_${key}_module`,
    section,
    of: { table, key },
  }))

/** References have the shape of the ids of the API. */
function withIds(kind: RecordKind, ids: Ids): RecordKind {
  return ids === prefixedIds ? kind : { ...kind, fields: withIdsIn(kind.fields, ids) }
}

const withIdsIn = (fields: Fields, ids: Ids): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withIdsOf(field, ids)]))

function withIdsOf(field: Field, ids: Ids): Field {
  const { refersTo, shape } = field
  const isList = shape.json.type === 'array'
  if (field.group) {
    const inner = withIdsIn(field.group, ids)
    return { ...field, shape: (isList ? groups(inner) : group(inner)).shape, group: inner }
  }
  if (!refersTo || refersTo.unchecked || shape.json.type === 'object') return field
  const id = ids.shape({ prefix: '', table: refersTo.tables[0]! })
  return isList
    ? { ...field, shape: listOf(id), normalise: value => [...new Set((value as unknown[]).map(String))] }
    : { ...field, shape: id, normalise: String }
}

/** Adds the modules as fields, and an index for every lookup. */
function withModules(kind: RecordKind, modules: readonly Module[], declared: readonly RecordKind[]): RecordKind {
  const own = modules
    .filter(({ of }) => of.table === kind.table)
    .map(({ of, fields }) => [of.key, group(fields)] as const)
  const { partOf, unique, due, picks = {} } = kind as Partial<Collection>
  return {
    ...kind,
    fields: { ...kind.fields, ...Object.fromEntries(own) },
    indexes: [
      ...(kind.indexes ?? []),
      ...(partOf ? [partOf.by] : []),
      ...(unique ? [unique.field] : []),
      ...(due ? [due.field] : []),
      ...Object.values(picks).filter(field => field !== 'id'),
      ...listedBy(kind.table, declared),
    ],
  }
}

/** Fields that other kinds use to list records of that table. */
const listedBy = (table: string, declared: readonly RecordKind[]) =>
  (declared as readonly Partial<Collection>[])
    .flatMap(({ lists }) => (lists ? Object.values(lists) : []))
    .flatMap(list => (list.table === table ? (list.by ?? []) : []))
