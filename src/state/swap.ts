import type { Op } from '../contract/journal-entry.ts'
import { tableNames } from '../resources/index.ts'
import type { Cause, Change } from './change.ts'
import type { Tables } from './tables.ts'

/** An estimate of its size in a history, without the state before it. */
const LENGTH = 256

/**
 * A change that replaced the whole state. It may have a hundred thousand ops, so they are computed on each use and not
 * stored. Neither of the two states may change any more.
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
