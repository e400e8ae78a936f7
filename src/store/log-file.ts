import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { type FileCalls, syncFolder, writeAll } from './file-calls.ts'
import { TempFile } from './temp-file.ts'

const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
const APPEND = O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0)

/** The log beside the database file. A line is in it whole, or not at all. */
export class LogFile {
  #fd: number | undefined
  /** What follows the whole lines, left of a failed write, is cut off. */
  #clean = false
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

  /** Opens the file for appending. */
  open(): number {
    this.#fd ??= this.calls.open(this.file, APPEND, 0o600)
    if (this.#clean) return this.#fd
    const size = this.calls.size(this.#fd)
    if (size < this.length) throw this.#tooShort()
    if (size > this.length) this.calls.truncate(this.#fd, this.file, this.length)
    this.#clean = true
    return this.#fd
  }

  append(line: readonly Uint8Array[]) {
    const fd = this.open()
    this.#clean = false
    for (const piece of line) writeAll(this.calls, fd, piece)
    this.#clean = true
    for (const piece of line) this.length += piece.length
  }

  /** Removes the lines that the disk did not confirm. */
  removeUnconfirmed() {
    this.length = this.confirmed
    this.#clean = false
    this.open()
  }

  /** Removes the lines before an offset: the rest moves to a new file, which replaces the old. No flush may be under way. */
  cut(offset: number) {
    const rest = Buffer.alloc(this.length - offset)
    if (this.calls.readAt(this.open(), rest, offset) < rest.length) throw this.#tooShort()
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
    if (this.#folderUnflushed) syncFolder(this.calls, dirname(this.file))
    this.#folderUnflushed = false
    this.confirmed = length
  }

  close() {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    this.#clean = false
    this.calls.close(fd)
  }

  remove() {
    this.close()
    this.calls.remove(this.file)
    this.length = 0
  }

  #tooShort() {
    return new Error(`${this.file} is shorter than what was written to it`)
  }
}
