import type { ChangeLog, Counters } from '../sandbox/index.ts'
import type { SavedSandbox, Tables } from '../state/index.ts'
import type { Stored } from './stored.ts'

/** What a store reads of the sandbox that it stores. */
export interface Source {
  tables: Tables
  seq: number
  ids: { counters: Counters }
}

export interface Loaded extends SavedSandbox, Pick<Stored, 'written' | 'seeded'> {
  warnings: string[]
}

/** Stores the state of one sandbox. */
export interface Store extends ChangeLog {
  /** What was stored, or undefined when there is nothing. `now` is for records without a time of their own. */
  load(now: number): Promise<Loaded | undefined>
  /** From now on this sandbox is stored; with `write`, nothing of it was stored before. */
  attach(source: Source, options: { write: boolean }): Promise<void>
  /** Writes everything and releases the file. */
  close(): Promise<void>
}

/** Stores nothing: the state lasts as long as the process. */
export class MemoryStore implements Store {
  readonly bytes = 0

  async load() {
    return undefined
  }
  async attach() {}
  append() {}
  async close() {}
}
