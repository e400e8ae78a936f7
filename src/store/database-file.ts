import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { type FileCalls, syncFolder } from './file-calls.ts'
import { parseStored } from './parse-stored.ts'
import { serialise } from './serialise.ts'
import type { Stored } from './stored.ts'
import { TempFile } from './temp-file.ts'

/**
 * The lowdb adapter for the database file: fixture format, a record a line. lowdb's own adapter would stringify all of
 * it at once, under a fixed temporary name.
 */
export class DatabaseFile implements Adapter<Stored> {
  /** The size of the file when it was last read or written. */
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
    /** Calls `put`, which replaces the old file by the new; it may do something else in the same tick. */
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
    try {
      for await (const chunk of serialise(stored)) temp.write(chunk)
      await temp.sync()
      await this.swap(() => {
        temp.put()
        this.size = temp.size
        if (this.fsync) syncFolder(this.calls, dirname(this.file))
      })
    } catch (error) {
      temp.discard()
      throw error
    }
  }
}
