import { dirname } from 'node:path'
import type { SyncAdapter } from 'lowdb'
import { type FileCalls, syncFolder } from './file-calls.ts'
import { parseStored } from './parse-stored.ts'
import { serialise } from './serialise.ts'
import type { Stored } from './stored.ts'
import { TempFile } from './temp-file.ts'

/**
 * The lowdb adapter for the database file: fixture format, one record per line. lowdb's own adapter would stringify
 * everything in one piece, and uses a fixed temporary name.
 */
export class DatabaseFile implements SyncAdapter<Stored> {
  /** The file size at the last read or write. */
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
    /** Called just before the new file replaces the old one. */
    readonly onPut = () => {},
  ) {}

  read(): Stored | null {
    const bytes = this.calls.read(this.file)
    if (bytes === undefined) return null
    this.size = bytes.length
    return parseStored(bytes, this.file)
  }

  write(stored: Stored) {
    const temp = new TempFile(this.file, this.calls, this.fsync)
    try {
      for (const chunk of serialise(stored)) temp.write(chunk)
      this.onPut()
      temp.put()
    } catch (error) {
      temp.discard()
      throw error
    }
    this.size = temp.size
    if (this.fsync) syncFolder(this.calls, dirname(this.file))
  }
}
