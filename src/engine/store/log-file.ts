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

  /** With `fsync`, also waits for the disk. If that fails, the line is removed. */
  append(line: Uint8Array) {
    const fd = this.open()
    try {
      writeAll(this.calls, fd, line)
      if (this.fsync) this.#flush(fd)
    } catch (error) {
      this.#removeRest()
      throw error
    }
    this.length += line.length
  }

  #flush(fd: number) {
    this.calls.syncNow(fd)
    if (this.#folderUnflushed) syncFolder(this.calls, dirname(this.file))
    this.#folderUnflushed = false
  }

  #removeRest() {
    try {
      this.open()
    } catch {
      // Retried before the next append.
    }
  }

  /** Removes all lines by putting an empty file in its place. */
  clear() {
    const temp = new TempFile(this.file, this.calls, this.fsync)
    try {
      // A log that was never opened may be a link. Windows cannot replace an open file.
      if (this.#fd === undefined) this.open()
      this.close()
      temp.put()
    } catch (error) {
      temp.discard()
      throw error
    }
    this.length = 0
    this.#folderUnflushed = true
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
