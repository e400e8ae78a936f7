import { dirname } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import type { Adapter } from 'lowdb'
import { nanoid } from 'nanoid'
import type { Counters } from '../sandbox/index.ts'
import type { Row } from '../schema/index.ts'
import { type FileCalls, PRIVATE, writeAll } from './file-calls.ts'
import { DamagedFile } from './log-file.ts'

export const FORMAT = 1

/** What the simulator itself must remember, beside the records: the key `_edgesim` of the file. */
export interface Meta {
  format: number
  /** Of the last change that is in the file. */
  seq: number
  counters: Counters
  /** Where deleted records stood, so that a page can still continue from them. */
  deleted: Record<string, Record<string, number>>
}

export interface Stored {
  rows: Record<string, Iterable<Row>>
  meta: Meta
}

/** How long serialising may hold the event loop before it lets others go first. */
const SLICE_MS = 8
const CHUNK_BYTES = 256 * 1024

/**
 * lowdb's adapter for the database file: fixture format, a record a line. lowdb's own would stringify all of it at
 * once, under a fixed temporary name.
 */
export class DatabaseFile implements Adapter<Stored> {
  /** Bytes of the file as last read or written. */
  size = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
    readonly fsync: boolean,
  ) {}

  async read(): Promise<Stored | null> {
    const bytes = this.calls.read(this.file)
    if (bytes === undefined) return null
    this.size = bytes.length
    return parseStored(bytes, this.file)
  }

  async write({ rows, meta }: Stored): Promise<void> {
    const temp = `${this.file}.${nanoid(10)}.tmp`
    const fd = this.calls.open(temp, PRIVATE, 0o600)
    let size = 0
    try {
      for await (const chunk of serialise(rows, meta)) {
        writeAll(this.calls, fd, chunk)
        size += chunk.length
      }
      if (this.fsync) await this.calls.sync(fd)
    } catch (error) {
      this.calls.close(fd)
      this.calls.remove(temp)
      throw error
    }
    this.calls.close(fd)
    try {
      this.calls.rename(temp, this.file)
    } catch (error) {
      this.calls.remove(temp)
      throw error
    }
    this.size = size
    if (this.fsync) await this.#syncFolder()
  }

  /** A rename is only safe from power loss once its folder is on disk; Windows cannot open folders, and need not. */
  async #syncFolder() {
    if (process.platform === 'win32') return
    const fd = this.calls.open(dirname(this.file), 'r')
    try {
      await this.calls.sync(fd)
    } finally {
      this.calls.close(fd)
    }
  }
}

async function* serialise(rows: Stored['rows'], meta: Meta): AsyncGenerator<Buffer> {
  let text = '{\n'
  let until = performance.now() + SLICE_MS
  for (const [table, list] of Object.entries(rows)) {
    text += `  ${JSON.stringify(table)}: [`
    let first = true
    for (const row of list) {
      text += `${first ? '\n    ' : ',\n    '}${JSON.stringify(row)}`
      first = false
      if (text.length > CHUNK_BYTES) {
        yield Buffer.from(text)
        text = ''
      }
      if (performance.now() > until) {
        await pause()
        until = performance.now() + SLICE_MS
      }
    }
    text += first ? '],\n' : '\n  ],\n'
  }
  yield Buffer.from(`${text}  "_edgesim": ${JSON.stringify(meta)}\n}\n`)
}

/** Anything but a whole JSON object is damage: to start over from it would erase what can still be saved. */
export function parseStored(bytes: Buffer, file: string): Stored {
  if (bytes.length === 0) throw new DamagedFile(`${file} is empty`)
  if (bytes.every(byte => byte === 0)) throw new DamagedFile(`${file} holds nothing but NUL bytes`)
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new DamagedFile(`${file} is not whole JSON: ${(error as Error).message.slice(0, 160)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DamagedFile(`${file} holds ${value === null ? 'null' : 'no object'}`)
  const { _edgesim, ...rows } = value as Record<string, Row[]> & { _edgesim?: Meta }
  const meta = _edgesim ?? { format: FORMAT, seq: 0, counters: {}, deleted: {} }
  if (meta.format !== FORMAT)
    throw new DamagedFile(`${file} has format ${JSON.stringify(meta.format)}; this version of edgesim reads ${FORMAT}`)
  return { rows, meta }
}
