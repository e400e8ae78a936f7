import { constants } from 'node:fs'
import { crc32 } from 'node:zlib'
import { nanoid } from 'nanoid'
import type { LoggedChange } from '../sandbox/index.ts'
import { type FileCalls, PRIVATE, writeAll } from './file-calls.ts'

export class DamagedFile extends Error {
  override name = 'DamagedFile'
}

/** A line: eight hex digits of CRC-32, a space, the change as JSON. */
export function encodeLine(change: LoggedChange): Buffer {
  const { ops, state, ...rest } = change
  const json = JSON.stringify(
    state ? { ...rest, state } : { ...rest, ops: ops.map(({ before: _before, ...op }) => op) },
  )
  return Buffer.from(`${checksum(json)} ${json}\n`)
}

const checksum = (json: string) => crc32(json).toString(16).padStart(8, '0')

export interface ReadLog {
  changes: LoggedChange[]
  /** Bytes of the log that are whole lines. */
  length: number
  /** Bytes of a last line that was cut short: a write that was never answered. */
  torn: number
  /** Set when a line before the end is damaged: where, and how many bytes stand behind it. */
  damage?: { line: number; bytes: number }
}

/** The longest prefix of whole lines, and what stands after it. */
export function readLog(bytes: Buffer): ReadLog {
  const changes: LoggedChange[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at)
    if (end < 0) return { changes, length: at, torn: bytes.length - at }
    const change = decodeLine(bytes.toString('utf8', at, end))
    const follows = changes.length === 0 || change?.seq === changes.at(-1)!.seq + 1
    if (!change || !follows)
      return { changes, length: at, torn: 0, damage: { line: changes.length + 1, bytes: bytes.length - at } }
    changes.push(change)
    at = end + 1
  }
  return { changes, length: at, torn: 0 }
}

function decodeLine(line: string): LoggedChange | undefined {
  const json = line.slice(9)
  if (line[8] !== ' ' || checksum(json) !== line.slice(0, 8)) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The log beside the database file. A line is either there whole or not at all. */
export class LogFile {
  #fd: number | undefined
  /** Bytes known to be whole lines; more than that is the remains of a failed write. */
  length = 0

  constructor(
    readonly file: string,
    readonly calls: FileCalls,
  ) {}

  /** Continues a log of which that many bytes are good. */
  resume(length: number) {
    this.length = length
    this.#open()
  }

  append(line: Buffer) {
    const fd = this.#fd ?? this.#open()
    try {
      writeAll(this.calls, fd, line)
    } catch (error) {
      // Reopening cuts off what was half written; until that succeeds nothing more is taken.
      this.close()
      throw error
    }
    this.length += line.length
  }

  /** Forgets the lines before an offset: the rest moves to a new file, which takes the place of the old. */
  cut(offset: number) {
    const rest = offset < this.length ? this.calls.read(this.file)!.subarray(offset, this.length) : Buffer.alloc(0)
    const temp = `${this.file}.${nanoid(10)}.tmp`
    const fd = this.calls.open(temp, PRIVATE, 0o600)
    try {
      writeAll(this.calls, fd, rest)
    } catch (error) {
      this.calls.close(fd)
      this.calls.remove(temp)
      throw error
    }
    this.calls.close(fd)
    this.close()
    try {
      this.calls.rename(temp, this.file)
    } catch (error) {
      this.calls.remove(temp)
      throw error
    }
    this.length = rest.length
  }

  async sync() {
    if (this.#fd !== undefined) await this.calls.sync(this.#fd)
  }

  close() {
    if (this.#fd === undefined) return
    const fd = this.#fd
    this.#fd = undefined
    this.calls.close(fd)
  }

  remove() {
    this.close()
    this.calls.remove(this.file)
    this.length = 0
  }

  #open(): number {
    const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants
    const fd = this.calls.open(this.file, O_APPEND | O_CREAT | O_RDWR | (O_NOFOLLOW ?? 0), 0o600)
    try {
      if (this.calls.size(fd) !== this.length) this.calls.truncate(fd, this.length)
    } catch (error) {
      this.calls.close(fd)
      throw error
    }
    this.#fd = fd
    return fd
  }
}
