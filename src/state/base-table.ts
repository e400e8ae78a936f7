import { estimateLength } from '../basics/json.ts'
import { ITEMS_PER_STEP, runSync, type Steps } from '../basics/slices.ts'
import type { Row } from '../contract/journal-entry.ts'
import { Hints } from './hints.ts'
import { NumberMap } from './number-map.ts'

/** The order numbers of a table, as they are stored beside its rows. */
export interface Numbers {
  /** Of the rows as they are stored, in runs: the first number of a run and how many it has, and so on. */
  runs: number[]
  /** The number of the next new row. */
  next: number
  /** Of ids that were deleted. */
  deleted: Record<string, number>
}

export function addToRuns(runs: number[], number: number) {
  const last = runs.length - 2
  if (last >= 0 && runs[last]! + runs[last + 1]! === number) runs[last + 1]!++
  else runs.push(number, 1)
}

/** True for rows that are numbered from 0 on, none of which was deleted: such numbers need not be stored. */
export const areUsual = ({ runs, next, deleted }: Numbers) =>
  (runs[0] ?? 0) === 0 && (runs[1] ?? 0) === next && runs.length <= 2 && Object.keys(deleted).length === 0

/** The numbers in runs, unless they do not fit the rows: somebody may have added or removed some by hand. */
function numbersIn({ runs, next }: Numbers, count: number): number[] | undefined {
  const numbers: number[] = []
  for (let i = 0; i < runs.length && numbers.length <= count; i += 2)
    for (let n = 0; n < runs[i + 1]! && numbers.length <= count; n++) numbers.push(runs[i]! + n)
  const fit = numbers.length === count && new Set(numbers).size === count && numbers.every(number => number < next)
  return fit ? numbers : undefined
}

/** A row as JSON text, and what the text depends on. */
interface RowText {
  baseUrl: string
  unset: string | undefined
  text: string
}

/** Rows of a table that any number of sandboxes share. Never changes; indexes are made on first use. */
export class BaseTable {
  readonly deleted: NumberMap<string>
  /** For those who send rows: of these, and of rows that sandboxes put in their place. */
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

  static *inSteps(rows: readonly Row[], stored?: Numbers): Steps<BaseTable> {
    const numbers = stored && numbersIn(stored, rows.length)
    const deleted = numbers ? stored.deleted : {}
    const orders = new Map(Object.entries(deleted))
    for (const [i, { id }] of rows.entries()) {
      orders.set(id, numbers?.[i] ?? i)
      if (i % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield
    }
    const byNumber = yield* NumberMap.inSteps(rows, numbers && (i => numbers[i]!))
    return new BaseTable(byNumber, orders, numbers ? stored.next : rows.length, deleted)
  }

  /** About how long its rows are as JSON. */
  get length(): number {
    this.#length ??= estimateLength([...this.rows.ascending()])
    return this.#length
  }

  /** The order numbers of rows whose field has that value. */
  where(field: string, value: unknown): readonly number[] {
    return (this.#indexes.get(field) ?? runSync(this.index(field))).of(field, value)
  }

  /** Makes the index of a field before its first use. */
  *index(field: string): Steps<Hints> {
    const index = new Hints()
    let count = 0
    for (const row of this.rows.ascending()) {
      index.add(field, row[field], this.orders.get(row.id)!)
      if (++count % ITEMS_PER_STEP === 0) yield
    }
    this.#indexes.set(field, index)
    return index
  }
}

/** Of a table without rows. */
export const EMPTY_TABLE = runSync(BaseTable.inSteps([]))

export type Base = Readonly<Record<string, BaseTable>>
type Rows = Record<string, readonly Row[]>

export const baseOf = (rows: Rows, numbers: Record<string, Numbers> = {}): Base => runSync(tablesOf(rows, numbers))

/** The same for a state that may be large: with the index that the next request needs. */
export function* baseInSteps(rows: Rows): Steps<Base> {
  const base = yield* tablesOf(rows, {})
  yield* base.api_keys?.index('token_sha256') ?? []
  return base
}

function* tablesOf(rows: Rows, numbers: Record<string, Numbers>): Steps<Base> {
  const base: Record<string, BaseTable> = {}
  for (const [table, list] of Object.entries(rows)) base[table] = yield* BaseTable.inSteps(list, numbers[table])
  return base
}
