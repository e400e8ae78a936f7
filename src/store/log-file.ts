import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { type FileCalls, syncFolder, writeAll } from './file-calls.ts'
import { TempFile } from './temp-file.ts'

const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
const APPEND = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0)

/** The log beside the database file. A line is in it whole, or not at all. */
export class LogFile {
  #fd: number | undefined
  /** Of the open file, to tell it from another of its name; always 0 on file systems without such numbers. */
  #inode: number | undefined
  /** The folder was not flushed since the file was created: a power failure could remove the file. */
  #folderUnflushed = true
  /** Bytes of whole lines. */
  length = 0
  /** Those of them that the disk has confirmed. */
  confirmed = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  /** Opens the file for appending, or makes sure that it is still in its place. What a failed write left is cut off. */
  open(): number {
    this.#fd ??= this.calls.open(this.file, APPEND, 0o600)
    const found = this.#find()
    if (!found) throw this.lost()
    this.#inode = found.ino
    if (found.size > this.length) this.calls.truncate(this.#fd, this.file, this.length)
    return this.#fd
  }

  lost() {
    return new Error(`${this.file} was removed, replaced or cut by another program`)
  }

  /** Whether others have removed it, or lines of it. */
  isLost(): boolean {
    try {
      return this.#find() === undefined
    } catch {
      // The disk fails: the next write reports it.
      return false
    }
  }

  append(line: readonly Uint8Array[]) {
    const fd = this.open()
    for (const piece of line) writeAll(this.calls, fd, piece)
    for (const piece of line) this.length += piece.length
  }

  /** Removes the lines that the disk did not confirm. */
  removeUnconfirmed() {
    this.length = this.confirmed
    this.open()
  }

  /** Removes the lines before an offset: the rest moves to a new file, which replaces the old. No flush may be under way. */
  cut(offset: number) {
    const rest = Buffer.alloc(this.length - offset)
    // Nothing is left of a lost log whose lines are all cut. One that was never opened may be a link.
    const isNeeded = rest.length > 0 || this.#fd === undefined
    if (isNeeded && this.calls.readAt(this.open(), rest, offset) < rest.length)
      throw new Error(`${this.file} is shorter than what was written to it`)
    const temp = new TempFile(this.file, this.calls, this.fsync)
    try {
      temp.write(rest)
      // Windows does not let an open file be replaced.
      this.close()
      temp.put()
    } catch (error) {
      temp.discard()
      throw error
    }
    this.length = rest.length
    this.confirmed = Math.max(0, this.confirmed - offset)
    this.#folderUnflushed = true
  }

  async sync() {
    const { length } = this
    await this.calls.sync(this.open())
    this.open()
    if (this.#folderUnflushed) syncFolder(this.calls, dirname(this.file))
    this.#folderUnflushed = false
    this.confirmed = length
  }

  close() {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    this.#inode = undefined
    this.calls.close(fd)
  }

  remove() {
    this.close()
    this.calls.remove(this.file)
    this.length = 0
  }

  /** Undefined if there is another file in its place, or less than was written to it. */
  #find() {
    const found = this.calls.find(this.file)
    const isOther = this.#inode !== undefined && found?.ino !== this.#inode
    return found && !isOther && found.size >= this.length ? found : undefined
  }
}
