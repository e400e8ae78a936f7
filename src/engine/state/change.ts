import { isDeepStrictEqual } from 'node:util'
import { estimateLength } from '../../basics/json.ts'
import type { Op, Row } from '../../contract/journal-entry.ts'
import type { Tables } from './tables.ts'

/** The cause of a change: a request, the sandbox clock, or a control API action. */
export interface Cause {
  kind: 'request' | 'clock' | 'reset' | 'state' | 'restore' | 'rewind' | 'scenario' | 'record'
  /** The operation id of the request, or the name of the snapshot or scenario. */
  id?: string
}

/** One atomic change of a sandbox's state. */
export interface Change {
  readonly seq: number
  readonly at: string
  readonly cause: Cause
  readonly ops: readonly Op[]
  /** The approximate length as JSON, to estimate its memory. */
  readonly length: number
}

/** A change of some rows. */
export class Edit implements Change {
  #length: number | undefined

  constructor(
    readonly seq: number,
    readonly at: string,
    readonly cause: Cause,
    readonly ops: readonly Op[],
  ) {}

  get length() {
    this.#length ??= estimateLength(this.ops)
    return this.#length
  }
}

/** A change that replaced the whole state. It may have 100,000 ops, so they are computed on each use. */
export class Swap implements Change {
  readonly #from: Tables
  readonly #to: Tables

  constructor(
    readonly seq: number,
    readonly at: string,
    readonly cause: Cause,
    from: Tables,
    to: Tables,
  ) {
    this.#from = from
    this.#to = to
  }

  get ops(): readonly Op[] {
    return this.#from.opsTo(this.#to)
  }

  /** Without the states, which are counted elsewhere. */
  get length() {
    return 256
  }

  removes(id: string, tables: readonly string[]): boolean {
    return tables.some(name => this.#from.of(name).get(id) && !this.#to.of(name).get(id))
  }
}

/** The ops that turn the current rows of a table into the wanted ones. */
export function diffRows(table: string, rows: Iterable<Row>, wanted: readonly Row[]): Op[] {
  const before = new Map(Array.from(rows, row => [row.id, row]))
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const ops: Op[] = []
  for (const row of before.values())
    if (!wantedIds.has(row.id)) ops.push({ table, id: row.id, before: row, after: null })
  for (const row of wanted) {
    const current = before.get(row.id) ?? null
    if (!isDeepStrictEqual(current, row)) ops.push({ table, id: row.id, before: current, after: row })
  }
  return ops
}
