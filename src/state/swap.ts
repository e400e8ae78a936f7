import type { Op } from '../contract/journal-entry.ts'
import { tableNames } from '../resources/index.ts'
import type { Cause, Change } from './change.ts'
import type { Tables } from './tables.ts'

/** What it takes to keep one; the state before it is counted by itself. */
const LENGTH = 256

/**
 * The whole state became another one. There may be a hundred thousand steps between them, so they are looked for only
 * when somebody asks, and not kept. Neither of the two states may change any more.
 */
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

  get length() {
    return LENGTH
  }

  removes(id: string): boolean {
    return tableNames.some(name => this.#from.of(name).get(id) && !this.#to.of(name).get(id))
  }
}
