import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { LowSync, MemorySync } from 'lowdb'
import { clearImmediate, clearTimeout, setImmediate, setTimeout, wallClock } from '../../basics/real-time.ts'
import { hasCode, SimulatorError } from '../../contract/simulator-error.ts'
import type { Catalog } from '../language/index.ts'
import type { ChangeLog, Sandbox } from '../sandbox/index.ts'
import type { LoggedChange } from '../state/index.ts'
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
  /** The time after a change until the file contains it, unless it is too large to rewrite at once. */
  quietMs?: number
  /** Called when the disk fails, and when it works again. */
  onWarning(text: string): void
}

/** The variable is for tests that need many compactions. */
const COMPACT_AT = Number(process.env.EDGESIM_TEST_COMPACT_AT) || 1024 * 1024

/** In milliseconds after the last change. */
const QUIET_MS = 1000
/** A file up to this size is rewritten in less than 100 ms: about 10,000 records. */
export const MAX_CURRENT_BYTES = 4 * 1024 * 1024

/** The limit for the file and its log: Node can read up to 2 GiB. */
export const MAX_DATABASE_BYTES = 1_900_000_000

/** Set in lowdb unless it reads or writes. */
const NO_DATA: Stored = { records: {}, order: {}, seq: 0, counters: {} }

/** A lowdb file with a log: each change adds a line, and the file is rewritten when nothing has changed for a second. */
export class FileStore implements ChangeLog {
  readonly snapshots: SnapshotFolder | undefined
  readonly #calls: FileCalls
  readonly #adapter: DatabaseFile
  readonly #low: LowSync<Stored>
  readonly #log: LogFile
  /** The stored sandbox. Undefined when the store is closed. */
  #sandbox: Sandbox | undefined
  #lock: Lock | undefined
  readonly #warnings: DiskWarnings
  readonly #compactAt: number
  readonly #quietMs: number
  #onPut = () => {}
  #seeded: Seeded | undefined
  #compacting: NodeJS.Immediate | undefined
  /** Since the last change. */
  #quiet: NodeJS.Timeout | undefined
  #rewriteFails = false
  /** Zero while there is no file, so the first change creates it. */
  #nextCompaction = 0

  constructor(
    readonly file: string,
    readonly options: FileStoreOptions,
  ) {
    const fsync = options.durability === 'fsync'
    this.#calls = options.calls ?? fileCalls
    this.#adapter = new DatabaseFile(file, this.#calls, fsync, () => this.#onPut())
    this.#low = new LowSync<Stored>(this.#adapter, NO_DATA)
    this.#log = new LogFile(`${file}.log`, this.#calls, fsync)
    if (!options.temporary)
      this.snapshots = new SnapshotFolder(options.catalog, `${file}.snapshots`, this.#calls, fsync)
    this.#warnings = new DiskWarnings(file, options.onWarning)
    this.#compactAt = options.compactAt ?? COMPACT_AT
    this.#quietMs = options.quietMs ?? QUIET_MS
  }

  /** Resumes the stored state, which is returned, or creates a new file. From now on, changes are stored. */
  async open(sandbox: Sandbox, { fresh = false } = {}): Promise<Loaded | undefined> {
    this.#sandbox = sandbox
    sandbox.storeIn(this)
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
      this.#nextCompaction = this.#compactAt
      this.#lock.onBeat = () => this.#repairLog()
      return loaded
    } catch (error) {
      this.#release()
      throw error
    }
  }

  append(change: LoggedChange) {
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
    this.#warnings.onSuccess()
    if (this.#log.length > Math.max(this.#nextCompaction, this.#adapter.size)) this.#compactSoon()
    else if (this.#adapter.size + this.#log.length <= MAX_CURRENT_BYTES) this.#compactWhenQuiet()
  }

  get bytes() {
    return this.#log.length
  }

  /** Writes everything and releases the file. */
  async close() {
    try {
      this.#stopCompacting()
      if (this.#sandbox && !this.options.temporary) {
        this.#lock?.check()
        this.#compact()
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
    this.#sandbox.storeIn(undefined)
    this.#sandbox = undefined
    this.#low.adapter = new MemorySync()
    this.options.onWarning(`The state is stored only in memory: ${message}.`)
    void this.close().catch(() => {})
  }

  async #load(now: number): Promise<Loaded | undefined> {
    this.#low.read()
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
    if (old && this.#log.length > 0) sandbox.storeIn(this, old.changes.at(-1)?.seq ?? old.seq)
    this.#compact(() => {
      if (damage) this.options.onWarning(`${damage.message}.\nIt was renamed to ${setAside(this.file, this.#calls)}`)
    })
  }

  /** If another process removed or truncated the log, writes the whole state again. Until then, `append` throws. */
  #repairLog() {
    if (!this.#log.isLost()) return
    this.#warnings.onFailure(this.#log.lost())
    this.#compactSoon()
  }

  /** Not in this tick, because the change that was just appended is not applied yet. */
  #compactSoon() {
    this.#compacting ??= setImmediate(() => this.#tryToCompact())
  }

  #compactWhenQuiet() {
    this.#quiet ??= setTimeout(() => this.#tryToCompact(), this.#quietMs).unref()
    this.#quiet.refresh()
  }

  #stopCompacting() {
    clearImmediate(this.#compacting)
    clearTimeout(this.#quiet)
    this.#compacting = undefined
    this.#quiet = undefined
  }

  #tryToCompact() {
    this.#stopCompacting()
    try {
      this.#compact()
      this.#warnings.onSuccess()
    } catch (error) {
      if (this.options.temporary) return this.#useMemory(error as Error)
      if (this.#log.isLost()) return this.#warnings.onFailure(error as Error)
      this.#nextCompaction = this.#log.length * 2
      const why = `Cannot rewrite ${this.file}: ${(error as Error).message}`
      if (!this.#rewriteFails) this.options.onWarning(`${why}. Changes are still appended to its log.`)
      this.#rewriteFails = true
    }
  }

  /** Writes the current state to the file, and clears the log. */
  #compact(beforePut = () => {}) {
    const { tables, seq, ids } = this.#sandbox!
    this.#onPut = () => {
      this.#lock?.check()
      beforePut()
    }
    const written = new Date(wallClock()).toISOString()
    this.#low.data = { ...storedOf(tables, seq, ids.counters), seeded: this.#seeded, written }
    try {
      this.#low.write()
    } finally {
      this.#low.data = NO_DATA
    }
    this.#log.clear()
    this.#nextCompaction = this.#compactAt
    this.#rewriteFails = false
  }
}
