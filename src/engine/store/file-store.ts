import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { Low, Memory } from 'lowdb'
import { wallClock } from '../../basics/real-time.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import type { Catalog } from '../language/index.ts'
import type { ChangeLog, Sandbox } from '../sandbox/index.ts'
import type { LoggedChange } from '../state/index.ts'
import { Confirmer } from './confirmer.ts'
import { DatabaseFile } from './database-file.ts'
import { DiskWarnings } from './disk-errors.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'
import { type Loaded, load } from './load.ts'
import { type Lock, lock } from './lock.ts'
import { LogFile } from './log-file.ts'
import { encodeLine } from './log-line.ts'
import { isOwnDatabase } from './parse-stored.ts'
import { setAside } from './set-aside.ts'
import { SnapshotFolder } from './snapshot-folder.ts'
import { type Seeded, type Stored, storedOf } from './stored.ts'
import { removeLeftovers } from './temp-file.ts'

export interface FileStoreOptions {
  durability: 'log' | 'fsync'
  /** The file is in its own directory, created with the first change and removed at the end. It is not durable. */
  temporary?: boolean
  calls?: FileCalls
  /** The fixture that a new file is created from. */
  seeded?: Seeded
  catalog: Catalog
  /** The file is rewritten when the log is larger than this and than the file. */
  compactAt?: number
  /** Called when the disk fails, and when it works again. */
  onWarning(text: string): void
}

/** The variable is for tests that need many compactions. */
const COMPACT_AT = Number(process.env.EDGESIM_TEST_COMPACT_AT) || 1024 * 1024

/** The limit for the file and its log: Node can read up to 2 GiB. */
export const MAX_DATABASE_BYTES = 1_900_000_000

/** Set in lowdb unless it reads or writes. */
const NO_DATA: Stored = { records: {}, order: {}, seq: 0, counters: {} }

/** A lowdb file with a log: each change adds a line, and the file is rewritten in the background. */
export class FileStore implements ChangeLog {
  readonly snapshots: SnapshotFolder | undefined
  /** Only set if responses wait until the disk has confirmed their changes. */
  readonly durable: (() => Promise<void>) | undefined
  readonly #calls: FileCalls
  readonly #adapter: DatabaseFile
  readonly #low: Low<Stored>
  readonly #log: LogFile
  /** The stored sandbox. Undefined when the store is closed. */
  #sandbox: Sandbox | undefined
  #lock: Lock | undefined
  readonly #warnings: DiskWarnings
  readonly #compactAt: number
  readonly #confirmer: Confirmer
  #swap: (put: () => void) => void = put => put()
  #seeded: Seeded | undefined
  #compacting: Promise<void> | undefined
  /** Zero while there is no file, so the first change creates it. */
  #nextCompaction = 0

  constructor(
    readonly file: string,
    readonly options: FileStoreOptions,
  ) {
    const fsync = options.durability === 'fsync'
    this.#calls = options.calls ?? fileCalls
    this.#adapter = new DatabaseFile(file, this.#calls, fsync, put => this.#confirmer.confirmed(() => this.#swap(put)))
    this.#low = new Low<Stored>(this.#adapter, NO_DATA)
    this.#log = new LogFile(`${file}.log`, this.#calls, fsync)
    if (!options.temporary)
      this.snapshots = new SnapshotFolder(options.catalog, `${file}.snapshots`, this.#calls, fsync)
    this.#warnings = new DiskWarnings(file, options.onWarning)
    this.#confirmer = new Confirmer(this.#log, this.#warnings)
    if (fsync) this.durable = () => this.#confirmer.confirmed()
    this.#compactAt = options.compactAt ?? COMPACT_AT
  }

  /** Resumes the stored state, which is returned, or creates a new file. From now on, changes are stored. */
  async open(sandbox: Sandbox, { fresh = false } = {}): Promise<Loaded | undefined> {
    this.#sandbox = sandbox
    sandbox.log = this
    if (this.options.temporary) return undefined
    try {
      this.#lock = await lock(this.file, this.#calls, this.options.onWarning)
      const loaded = fresh
        ? undefined
        : await this.#load(sandbox.clock.now()).catch(error => this.#rejectForeign(error))
      if (loaded) sandbox.resume(loaded)
      removeLeftovers(this.file, this.#calls)
      if (!loaded) await this.#create(sandbox)
      // From now on the log exists, even if it is empty. Only a clean exit removes it.
      this.#log.open()
      this.#log.confirmed = this.#log.length
      this.#nextCompaction = this.#compactAt
      this.#lock.onBeat = () => this.#repairLog()
      return loaded
    } catch (error) {
      this.#release()
      throw error
    }
  }

  append(change: LoggedChange, undo: () => void) {
    try {
      this.#lock?.check()
      if (this.options.temporary && this.#adapter.size + this.#log.length === 0)
        this.#calls.makeFolder(dirname(this.file))
      if (this.#adapter.size + this.#log.length > MAX_DATABASE_BYTES)
        throw new Error(`${this.file} would exceed the limit of 1.9 GB`)
      this.#log.append(encodeLine(change))
    } catch (error) {
      if (this.options.temporary) return this.#useMemory(error as Error)
      this.#warnings.onFailure(error as Error)
      this.#repairLog()
      throw error
    }
    if (this.durable) this.#confirmer.add(undo)
    else this.#warnings.onSuccess()
    if (this.#log.length > Math.max(this.#nextCompaction, this.#adapter.size)) this.#compactInBackground()
  }

  get bytes() {
    return this.#log.length
  }

  /** Writes everything and releases the file. */
  async close() {
    try {
      await this.#compacting
      if (this.#sandbox && !this.options.temporary) {
        this.#lock?.check()
        await this.#compact()
        this.#log.remove()
      }
    } finally {
      this.#release()
    }
  }

  #release() {
    this.#sandbox = undefined
    this.#log.close()
    this.#lock?.release()
    this.#lock = undefined
    if (this.options.temporary) rmSync(dirname(this.file), { recursive: true, force: true })
  }

  /** Continues in memory if the temporary file is not writable. */
  #useMemory({ message }: Error) {
    if (!this.#sandbox) return
    this.#sandbox.log = undefined
    this.#sandbox = undefined
    this.#low.adapter = new Memory()
    this.options.onWarning(`The state is stored only in memory: ${message}.`)
    void this.close().catch(() => {})
  }

  async #load(now: number): Promise<Loaded | undefined> {
    await this.#low.read()
    const stored = this.#low.data === NO_DATA ? undefined : this.#low.data
    this.#low.data = NO_DATA
    this.#seeded = stored?.seeded
    return load(this.options.catalog, stored, this.#adapter, this.#log, now)
  }

  /** Throws if the file is not an edgesim database, which --fresh must not overwrite. If it is, throws `unread`. */
  #rejectForeign(unread?: Error): undefined {
    if (unread && !hasCode(unread, 'DATABASE_DAMAGED')) throw unread
    const existing = this.#calls.read(this.file)
    if (existing && !isOwnDatabase(existing))
      throw new SimulatorError(
        'DATABASE_FOREIGN',
        `${unread ? `${unread.message}.\n` : ''}${this.file} is not an edgesim database, so it is not overwritten. Delete it, or set --db to another file.`,
      )
    if (unread) throw unread
  }

  /**
   * Creates the file. An old one remains until the new one replaces it. The seq continues from the old log: if the
   * process is killed before the log is cut, the next process detects old lines by their seq.
   */
  async #create(sandbox: Sandbox) {
    this.#rejectForeign()
    let damage: SimulatorError | undefined
    const old = await this.#load(0).catch(error => {
      if (!(error instanceof SimulatorError)) throw error
      damage = error
    })
    this.#seeded = this.options.seeded
    if (old && this.#log.length > 0) sandbox.seq = old.changes.at(-1)?.seq ?? old.seq
    await this.#compact(() => {
      if (damage) this.options.onWarning(`${damage.message}.\nIt was renamed to ${setAside(this.file, this.#calls)}`)
    })
  }

  /** If another process removed or truncated the log, writes the whole state again. Until then, `append` throws. */
  #repairLog() {
    if (!this.#log.isLost()) return
    this.#warnings.onFailure(this.#log.lost())
    this.#compactInBackground()
  }

  /** Starts after this tick, when the change that was just appended has been applied. */
  #compactInBackground() {
    this.#compacting ??= pause()
      .then(() => this.#compact())
      .then(() => this.#warnings.onSuccess())
      .catch(error => {
        if (this.options.temporary) return this.#useMemory(error)
        if (this.#log.isLost()) return this.#warnings.onFailure(error)
        this.#nextCompaction = this.#log.length * 2
        this.options.onWarning(`Cannot rewrite ${this.file}: ${error.message}. Changes are still appended to its log.`)
      })
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Writes the current state to the file. Changes appended in the meantime remain in the log. */
  async #compact(beforeSwap = () => {}) {
    const { tables, seq, ids } = this.#sandbox!
    const [offset, undoCount] = [this.#log.length, this.#confirmer.undoCount]
    this.#swap = put => {
      this.#lock?.check()
      if (undoCount !== this.#confirmer.undoCount) throw new Error('the disk did not confirm all of it')
      beforeSwap()
      put()
      this.#log.cut(offset)
    }
    const written = new Date(wallClock()).toISOString()
    this.#low.data = { ...storedOf(tables, seq, ids.counters), seeded: this.#seeded, written }
    await this.#low.write()
    this.#low.data = NO_DATA
    this.#nextCompaction = this.#compactAt
  }
}
