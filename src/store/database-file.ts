import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { tableNames } from '../resources/index.ts'
import type { Counters, Deleted, Tables } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { type FileCalls, syncFolder } from './file-calls.ts'
import { parseStored } from './parse-stored.ts'
import { serialise } from './serialise.ts'
import { TempFile } from './temp-file.ts'

/** A state as the file holds it. */
export interface Stored {
  rows: Record<string, Iterable<Row>>
  /** Known once the rows have been gone through. */
  deleted: Record<string, Iterable<Deleted>>
  /** Of the last change that is in the file. */
  seq: number
  counters: Counters
}

/**
 * lowdb's adapter for the database file: fixture format, a record a line. lowdb's own would stringify all of it at
 * once, under a fixed temporary name.
 */
export class DatabaseFile implements Adapter<Stored> {
  /** Bytes of the file as last read or written. */
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
    /** Puts the new file in place of the old: a chance to do something else in the same tick. */
    readonly swap: (put: () => void) => void | Promise<void> = put => put(),
  ) {}

  async read(): Promise<Stored | null> {
    const bytes = this.calls.read(this.file)
    if (bytes === undefined) return null
    this.size = bytes.length
    return parseStored(bytes, this.file)
  }

  async write(stored: Stored): Promise<void> {
    const temp = new TempFile(this.file, this.calls, this.fsync)
    let size = 0
    try {
      for await (const chunk of serialise(stored)) {
        temp.write(chunk)
        size += chunk.length
      }
      await temp.sync()
      await this.swap(() => {
        temp.put()
        this.size = size
        if (this.fsync) syncFolder(this.calls, dirname(this.file))
      })
    } catch (error) {
      temp.discard()
      throw error
    }
  }
}

/** A state that nobody changes any more, to be written whenever there is time. */
export function storedOf(tables: Tables, seq: number, counters: Counters): Stored {
  const rows: Stored['rows'] = {}
  const deleted: Stored['deleted'] = {}
  for (const name of tableNames) {
    const gone: Deleted[] = []
    deleted[name] = gone
    rows[name] = rowsOf(tables.of(name).everything(), gone)
  }
  return { rows, deleted, seq, counters: { ...counters } }
}

function* rowsOf(everything: Iterable<Row | string>, gone: Deleted[]): Generator<Row> {
  let rows = 0
  for (const entry of everything) {
    if (typeof entry === 'string') gone.push([entry, rows])
    else {
      rows++
      yield entry
    }
  }
}
