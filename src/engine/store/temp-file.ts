import { basename, dirname, join } from 'node:path'
import { nanoid } from 'nanoid'
import { type FileCalls, writeAll } from './file-calls.ts'

/** A private file that replaces another when it is complete, or is removed. */
export class TempFile {
  readonly #path: string
  #fd: number | undefined
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {
    this.#path = `${file}.${nanoid(10)}.tmp`
    this.#fd = calls.open(this.#path, 'wx', 0o600)
  }

  write(bytes: Uint8Array) {
    writeAll(this.calls, this.#fd!, bytes)
    this.size += bytes.length
  }

  /** Replaces the other file in one tick, or changes nothing. */
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

const LEFTOVER = /^(\.log)?\.[\w-]{10}\.tmp$|^\.lock(\.[\w-]{10})+$/
const LEFT_SNAPSHOT = /\.json\.[\w-]{10}\.tmp$/

/** Removes leftovers of killed processes next to the file and in its snapshots. The caller must hold the lock. */
export function removeLeftovers(file: string, calls: FileCalls) {
  const own = basename(file)
  const remove = (folder: string, isLeft: (name: string) => boolean) => {
    const names = calls.isFolder(folder) ? calls.list(folder) : []
    for (const name of names.filter(isLeft)) calls.remove(join(folder, name))
  }
  try {
    remove(dirname(file), name => name.startsWith(own) && LEFTOVER.test(name.slice(own.length)))
    remove(`${file}.snapshots`, name => LEFT_SNAPSHOT.test(name))
  } catch {
    // Leftovers do no harm.
  }
}
