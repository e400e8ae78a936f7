import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { type FileCalls, syncFolder, writeAll } from './file-calls.ts'
import { TempFile } from './temp-file.ts'

/** The log beside the database file. A line is in it whole, or not at all. */
export class LogFile {
  #fd: number | undefined
  #syncing = false
  /** The folder was not flushed since the file was created: a power failure could remove the file. */
  #folderUnflushed = true
  /** File descriptors to close when the flush that still uses them ends. */
  #toClose: number[] = []
  /** Bytes of whole lines; what follows them is left of a failed write. */
  length = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  /** Opens the file for appending, and cuts off what follows the whole lines. */
  open(): number {
    if (this.#fd !== undefined) return this.#fd
    const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
    const fd = this.calls.open(this.file, O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0), 0o600)
    try {
      const size = this.calls.size(fd)
      if (size < this.length) throw new Error(`${this.file} is shorter than what was written to it`)
      if (size > this.length) this.calls.truncate(fd, this.length)
    } catch (error) {
      this.calls.close(fd)
      throw error
    }
    this.#fd = fd
    return fd
  }

  append(line: readonly Uint8Array[]) {
    const fd = this.open()
    try {
      for (const piece of line) writeAll(this.calls, fd, piece)
    } catch (error) {
      // Reopening cuts off what was half written; nothing is appended until that succeeds.
      this.#closeQuietly()
      throw error
    }
    for (const piece of line) this.length += piece.length
  }

  /** Removes the lines after an offset. */
  shorten(length: number) {
    this.length = length
    this.#closeQuietly()
    this.open()
  }

  /** Removes the lines before an offset: the rest moves to a new file, which replaces the old. */
  cut(offset: number) {
    const rest = this.#readFrom(offset)
    const temp = new TempFile(this.file, this.calls, this.fsync)
    try {
      temp.write(rest)
      // Windows does not let an open file be replaced.
      this.#closeQuietly()
      temp.put()
    } catch (error) {
      temp.discard()
      throw error
    }
    this.length = rest.length
    this.#folderUnflushed = true
  }

  async sync() {
    this.#syncing = true
    try {
      await this.calls.sync(this.open())
      if (this.#folderUnflushed) syncFolder(this.calls, dirname(this.file))
      this.#folderUnflushed = false
    } finally {
      this.#syncing = false
      for (const fd of this.#toClose.splice(0)) this.calls.close(fd)
    }
  }

  close() {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    if (this.#syncing) this.#toClose.push(fd)
    else this.calls.close(fd)
  }

  /** A descriptor that cannot be closed is of no use either. */
  #closeQuietly() {
    try {
      this.close()
    } catch {}
  }

  remove() {
    this.close()
    this.calls.remove(this.file)
    this.length = 0
  }

  #readFrom(offset: number): Buffer {
    const rest = Buffer.alloc(this.length - offset)
    const fd = this.open()
    for (let at = 0; at < rest.length; ) {
      const read = this.calls.readAt(fd, rest.subarray(at), offset + at)
      if (read === 0) throw new Error(`${this.file} is shorter than what was written to it`)
      at += read
    }
    return rest
  }
}
