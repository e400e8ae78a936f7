import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { type FileCalls, syncFolder } from './file-calls.ts'
import { parseStored } from './parse-stored.ts'
import { serialise } from './serialise.ts'
import type { Stored } from './stored.ts'
import { TempFile } from './temp-file.ts'

/**
 * The lowdb adapter for the database file: fixture format, one record per line. lowdb's own adapter would stringify
 * everything in one piece, and uses a fixed temporary name.
 */
export class DatabaseFile implements Adapter<Stored> {
  /** The file size at the last read or write. */
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
    /** Must call `put`, which replaces the old file. It may do more in the same tick. */
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
