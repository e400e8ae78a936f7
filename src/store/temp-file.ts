import { basename, dirname, join } from 'node:path'
import { nanoid } from 'nanoid'
import { type FileCalls, PRIVATE, writeAll } from './file-calls.ts'

/** A private file that takes another's place once it is whole, or goes away. */
export class TempFile {
  readonly #path: string
  #fd: number | undefined

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {
    this.#path = `${file}.${nanoid(10)}.tmp`
    this.#fd = calls.open(this.#path, PRIVATE, 0o600)
  }

  write(bytes: Uint8Array) {
    writeAll(this.calls, this.#fd!, bytes)
  }

  /** Large ones go to the disk before they are put, without holding up everybody. */
  async sync() {
    if (this.fsync) await this.calls.sync(this.#fd!)
  }

  /** In one tick: the other file is replaced, or nothing has happened. */
  put() {
    if (this.fsync) this.calls.syncNow(this.#fd!)
    this.#close()
    this.calls.rename(this.#path, this.file)
  }

  discard() {
    try {
      this.#close()
    } finally {
      this.calls.remove(this.#path)
    }
  }

  #close() {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    this.calls.close(fd)
  }
}

const LITTER = /^(\.log)?\.[\w-]{10}\.tmp$|^\.lock(\.[\w-]{10})+(\.tmp)?$/

/** Removes what processes that were killed left beside the file. Only for who holds its lock. */
export function sweepLitter(file: string, calls: FileCalls) {
  const own = basename(file)
  sweep(dirname(file), name => name.startsWith(own) && LITTER.test(name.slice(own.length)), calls)
}

/** Files that match go; those that cannot are in nobody's way. */
export function sweep(folder: string, matches: (name: string) => boolean, calls: FileCalls) {
  try {
    for (const name of calls.list(folder)) if (matches(name)) calls.remove(join(folder, name))
  } catch {}
}
