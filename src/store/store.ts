import { setImmediate as pause } from 'node:timers/promises'
import { Low } from 'lowdb'
import { tableNames } from '../resources/index.ts'
import type { ChangeLog, Counters, LoggedChange, Tables } from '../sandbox/index.ts'
import { DatabaseFile, FORMAT, type Stored } from './database-file.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'
import { lock } from './lock.ts'
import { DamagedFile, encodeLine, LogFile, readLog } from './log-file.ts'
import { SnapshotFolder } from './snapshot-files.ts'

/** What a sandbox's state must offer to be written. */
export interface Source {
  tables: Tables
  seq: number
  ids: { counters: Counters }
}

export interface Loaded {
  stored: Stored
  /** Changes after the file was last written. */
  changes: LoggedChange[]
  warnings: string[]
}

/** Keeps one sandbox's state. */
export interface Store extends ChangeLog {
  /** What was kept, or undefined when there is nothing yet. */
  load(): Promise<Loaded | undefined>
  /** From now on this is the state to keep; writes all of it when nothing was kept before. */
  attach(source: Source, options: { write: boolean }): Promise<void>
  /** Writes everything down and lets go. */
  close(): Promise<void>
}

export interface FileStoreOptions {
  durability: 'log' | 'fsync'
  calls?: FileCalls
  /** The log is folded into the file when it is longer than this and than the file. */
  compactAt?: number
  /** A failure in the background, such as a compaction that found the disk full. */
  onWarning(text: string): void
}

/** A lowdb file with a log beside it: a change costs one line, and the file follows in the background. */
export class FileStore implements Store {
  readonly #calls: FileCalls
  readonly #adapter: DatabaseFile
  readonly #low: Low<Stored>
  readonly #log: LogFile
  readonly #unlock: () => void
  readonly snapshots: SnapshotFolder
  readonly #options: FileStoreOptions
  #source: Source | undefined
  #compacting: Promise<void> | undefined
  #nextCompaction: number
  #syncing: Promise<void> | undefined
  #syncNext: Promise<void> | undefined

  constructor(
    readonly file: string,
    options: FileStoreOptions,
  ) {
    this.#options = options
    this.#calls = options.calls ?? fileCalls
    this.#unlock = lock(file, this.#calls)
    this.#adapter = new DatabaseFile(file, this.#calls, options.durability === 'fsync')
    this.#low = new Low<Stored>(this.#adapter, NOTHING)
    this.#log = new LogFile(`${file}.log`, this.#calls)
    this.snapshots = new SnapshotFolder(`${file}.snapshots`, this.#calls, options.durability === 'fsync')
    this.#nextCompaction = options.compactAt ?? 1024 * 1024
  }

  async load(): Promise<Loaded | undefined> {
    try {
      return await this.#load()
    } catch (error) {
      this.#unlock()
      throw error
    }
  }

  async #load(): Promise<Loaded | undefined> {
    await this.#low.read()
    const bytes = this.#calls.read(this.#log.file) ?? Buffer.alloc(0)
    if (this.#low.data === NOTHING) {
      if (bytes.length > 0) throw new DamagedFile(`${this.file} is missing, but its log ${this.#log.file} is there`)
      return undefined
    }
    const { data: stored } = this.#low
    const { changes, length, torn, damage } = readLog(bytes)
    if (damage)
      throw new DamagedFile(
        `${this.#log.file} is damaged at line ${damage.line}, with ${damage.bytes} bytes from there on`,
      )
    const first = changes.findIndex(({ seq }) => seq > stored.meta.seq)
    const fresh = first < 0 ? [] : changes.slice(first)
    if (fresh.length > 0 && fresh[0]!.seq !== stored.meta.seq + 1)
      throw new DamagedFile(
        `${this.#log.file} continues at change ${fresh[0]!.seq}, but ${this.file} ends at ${stored.meta.seq}`,
      )
    this.#log.resume(length)
    const warnings = torn > 0 ? [`${this.#log.file}: dropped ${torn} bytes of a last line that was cut short`] : []
    return { stored, changes: fresh, warnings }
  }

  async attach(source: Source, { write }: { write: boolean }) {
    this.#source = source
    if (!write) return
    this.#log.remove()
    await this.#compact()
  }

  append(change: LoggedChange) {
    this.#log.append(encodeLine(change))
    if (this.#log.length > Math.max(this.#nextCompaction, this.#adapter.size)) this.#compactInBackground()
  }

  /** One flush serves all changes that were appended before it began. */
  async settled() {
    if (this.#options.durability !== 'fsync') return
    if (!this.#syncing) this.#syncing = this.#sync()
    else {
      this.#syncNext ??= this.#syncing
        .catch(() => {})
        .then(() => {
          this.#syncNext = undefined
          this.#syncing = this.#sync()
          return this.#syncing
        })
      return this.#syncNext
    }
    return this.#syncing
  }

  async #sync() {
    try {
      await this.#log.sync()
    } finally {
      this.#syncing = undefined
    }
  }

  async close() {
    try {
      await this.#compacting?.catch(() => {})
      if (this.#source) {
        await this.#compact()
        this.#log.remove()
      }
    } finally {
      this.#log.close()
      this.#unlock()
    }
  }

  /** Begins when this tick is over: only then has the change that was just appended been made. */
  #compactInBackground() {
    this.#compacting ??= pause()
      .then(() => this.#compact())
      .catch(error => {
        this.#nextCompaction = this.#log.length * 2
        this.#options.onWarning(`${this.file} could not be rewritten (${error.message}); its log goes on`)
      })
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Takes the state as it is now; what is appended meanwhile stays in the log. */
  async #compact() {
    const { tables, seq, ids } = this.#source!
    const offset = this.#log.length
    const state = tables.copy()
    const deleted = Object.fromEntries(
      tableNames
        .map(name => [name, Object.fromEntries(state.of(name).gone())] as const)
        .filter(([, gone]) => Object.keys(gone).length > 0),
    )
    this.#low.data = {
      rows: Object.fromEntries(tableNames.map(name => [name, state.of(name).oldestFirst()])),
      meta: { format: FORMAT, seq, counters: { ...ids.counters }, deleted },
    }
    await this.#low.write()
    this.#low.data = NOTHING
    this.#log.cut(offset)
    this.#nextCompaction = this.#options.compactAt ?? 1024 * 1024
  }
}

const NOTHING: Stored = { rows: {}, meta: { format: FORMAT, seq: 0, counters: {}, deleted: {} } }
