import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { type FileCalls, syncFolder, writeAll } from './file-calls.ts'
import { TempFile } from './temp-file.ts'

const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
const APPEND = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0)

/** The log next to the database file. Lines are written completely or not at all. */
export class LogFile {
  #fd: number | undefined
  /** Identifies the open file. Always 0 on file systems without inodes. */
  #inode: number | undefined
  /** The directory was not flushed since the file was created, so a power failure could remove the file. */
  #folderUnflushed = true
  /** Bytes of complete lines. */
  length = 0
  /** Bytes that the disk has confirmed. */
  confirmed = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  /** Opens the file for appending, or checks that it is still in place. Cuts off incomplete lines. */
  open(): number {
    this.#fd ??= this.calls.open(this.file, APPEND, 0o600)
    const found = this.#find()
    if (!found) throw this.lost()
    this.#inode = found.ino
    if (found.size > this.length) this.calls.truncate(this.#fd, this.file, this.length)
    return this.#fd
  }

  lost() {
    return new Error(`${this.file} was removed, replaced or truncated by another process`)
  }

  /** Whether another process has removed it or some of its lines. */
  isLost(): boolean {
    try {
      return this.#find() === undefined
    } catch {
      // The next write reports the disk error.
      return false
    }
  }

  append(line: readonly Uint8Array[]) {
    const fd = this.open()
    for (const piece of line) writeAll(this.calls, fd, piece)
    for (const piece of line) this.length += piece.length
  }

  /** Removes lines that the disk did not confirm. */
  removeUnconfirmed() {
    this.length = this.confirmed
    this.open()
  }

  /** Removes the lines before an offset by moving the rest to a new file. No flush may be in progress. */
  cut(offset: number) {
    const rest = Buffer.alloc(this.length - offset)
    // A lost log need not be read if nothing remains. A log that was never opened may be a link.
    const isNeeded = rest.length > 0 || this.#fd === undefined
    if (isNeeded && this.calls.readAt(this.open(), rest, offset) < rest.length)
      throw new Error(`${this.file} is shorter than expected`)
    const temp = new TempFile(this.file, this.calls, this.fsync)
    try {
      temp.write(rest)
      // Windows cannot replace an open file.
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

  /** Undefined if another file is in its place, or it is shorter than expected. */
  #find() {
    const found = this.calls.find(this.file)
    const isOther = this.#inode !== undefined && found?.ino !== this.#inode
    return found && !isOther && found.size >= this.length ? found : undefined
  }
}
