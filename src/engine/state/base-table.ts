import { estimateLength } from '../../basics/json.ts'
import type { Row } from '../../contract/journal-entry.ts'
import type { Catalog } from '../language/index.ts'
import { Hints } from './hints.ts'
import { NumberMap } from './number-map.ts'

/** The order numbers of a table, stored next to its rows. */
export interface Numbers {
  /** The numbers of the stored rows, as runs: first number, count, first number, count, and so on. */
  runs: number[]
  /** The number of the next new row. */
  next: number
  /** By deleted id. */
  deleted: Record<string, number>
}

export function addToRuns(runs: number[], number: number) {
  const last = runs.length - 2
  if (last >= 0 && runs[last]! + runs[last + 1]! === number) runs[last + 1]!++
  else runs.push(number, 1)
}

/** Whether rows are numbered from 0 and none was deleted. These numbers need not be stored. */
export const areSequential = ({ runs, next, deleted }: Numbers) =>
  (runs[0] ?? 0) === 0 && (runs[1] ?? 0) === next && runs.length <= 2 && Object.keys(deleted).length === 0

/** The numbers in the runs. Undefined if they do not match the rows, which may have been edited manually. */
function numbersIn({ runs, next }: Numbers, count: number): number[] | undefined {
  const numbers: number[] = []
  for (let i = 0; i < runs.length && numbers.length <= count; i += 2)
    for (let n = 0; n < runs[i + 1]! && numbers.length <= count; n++) numbers.push(runs[i]! + n)
  const match = numbers.length === count && new Set(numbers).size === count && numbers.every(number => number < next)
  return match ? numbers : undefined
}

/** A row as JSON text, and the settings that the text depends on. */
interface RowText {
  baseUrl: string
  unset: string | undefined
  text: string
}

/** Table rows that any number of sandboxes share. Immutable, with indexes created on first use. */
export class BaseTable {
  readonly deleted: NumberMap<string>
  /** Cached response texts, for these rows and for rows that sandboxes replace them with. */
  readonly texts = new WeakMap<Row, RowText>()
  readonly #indexes = new Map<string, Hints>()
  #length: number | undefined

  private constructor(
    /** By order number. */
    readonly rows: NumberMap<Row>,
    /** The order numbers of rows and deleted ids. */
    readonly orders: ReadonlyMap<string, number>,
    readonly next: number,
    deleted: Numbers['deleted'],
  ) {
    const ids = Object.keys(deleted)
    this.deleted = NumberMap.of(ids, i => deleted[ids[i]!]!)
  }

  static of(rows: readonly Row[], stored?: Numbers): BaseTable {
    const numbers = stored && numbersIn(stored, rows.length)
    const deleted = numbers ? stored.deleted : {}
    const orders = new Map(Object.entries(deleted))
    for (const [i, { id }] of rows.entries()) orders.set(id, numbers?.[i] ?? i)
    const byNumber = NumberMap.of(rows, numbers && (i => numbers[i]!))
    return new BaseTable(byNumber, orders, numbers ? stored.next : rows.length, deleted)
  }

  /** The approximate length of its rows as JSON. */
  get length(): number {
    this.#length ??= estimateLength([...this.rows.ascending()])
    return this.#length
  }

  /** The order numbers of rows with this field value. */
  where(field: string, value: unknown): readonly number[] {
    return (this.#indexes.get(field) ?? this.#index(field)).of(field, value)
  }

  /** Creates the index of a field. */
  #index(field: string): Hints {
    const index = new Hints()
    for (const row of this.rows.ascending()) index.add(field, row[field], this.orders.get(row.id)!)
    this.#indexes.set(field, index)
    return index
  }
}

export const EMPTY_TABLE = BaseTable.of([])

/** Tables of the kinds of records in a catalog. */
export interface Base {
  readonly catalog: Catalog
  readonly tables: Readonly<Record<string, BaseTable>>
}
type Rows = Record<string, readonly Row[]>

export const baseOf = (catalog: Catalog, rows: Rows, numbers: Record<string, Numbers> = {}): Base => ({
  catalog,
  tables: Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, BaseTable.of(list, numbers[table])])),
})
