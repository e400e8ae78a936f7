import { basename, dirname } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { Low } from 'lowdb'
import { wallClock } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { LoggedChange } from '../state/index.ts'
import { Confirmer } from './confirmer.ts'
import { DatabaseFile } from './database-file.ts'
import { DiskWarnings } from './disk-errors.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'
import { load } from './load.ts'
import { type Lock, lock, lockNow } from './lock.ts'
import { LogFile } from './log-file.ts'
import { encodeLine } from './log-line.ts'
import { isOwnDatabase } from './parse-stored.ts'
import { SnapshotFolder } from './snapshot-folder.ts'
import type { Loaded, Source, Store } from './store.ts'
import { type Seeded, type Stored, storedOf } from './stored.ts'
import { removeLeftovers } from './temp-file.ts'

export interface FileStoreOptions {
  durability: 'log' | 'fsync'
  calls?: FileCalls
  /** The fixture that a new file is created from. */
  seeded?: Seeded
  /** No other process can know of the file. */
  alone?: boolean
  /** The file is rewritten when the log is longer than this and than the file. */
  compactAt?: number
  /** Called when the disk fails, and when it works again. */
  onWarning(text: string): void
}

/** The variable is for tests that need many compactions. */
const COMPACT_AT = Number(process.env.EDGESIM_TEST_COMPACT_AT) || 1024 * 1024

/** Of the file and its log: Node reads files of at most 2 GiB. */
export const MAX_DATABASE_BYTES = 1_900_000_000

/** Held by lowdb when it neither reads nor writes. */
const NO_DATA: Stored = { records: {}, order: {}, seq: 0, counters: {} }

/** A lowdb file with a log beside it: a change costs one line, and the file is rewritten in the background. */
export class FileStore implements Store {
  readonly snapshots: SnapshotFolder
  readonly #calls: FileCalls
  readonly #adapter: DatabaseFile
  readonly #low: Low<Stored>
  readonly #log: LogFile
  #lock: Lock | undefined
  readonly #warnings: DiskWarnings
  readonly #compactAt: number
  #swap: (put: () => void) => void = put => put()
  #confirmer: Confirmer | undefined
  #source: Source | undefined
  #seeded: Seeded | undefined
  #compacting: Promise<void> | undefined
  #nextCompaction: number
  /** How often changes were undone: a state that is being written may then hold some of them. */
  #undoCount = 0

  constructor(
    readonly file: string,
    readonly options: FileStoreOptions,
  ) {
    const fsync = options.durability === 'fsync'
    const calls = options.calls ?? fileCalls
    this.#calls = calls
    this.#adapter = new DatabaseFile(file, calls, fsync, async put => {
      await this.#confirmer?.confirmed()
      this.#swap(put)
    })
    this.#low = new Low<Stored>(this.#adapter, NO_DATA)
    this.#log = new LogFile(`${file}.log`, calls, fsync)
    this.snapshots = new SnapshotFolder(`${file}.snapshots`, calls, fsync)
    this.#warnings = new DiskWarnings(file, options.onWarning)
    this.#compactAt = options.compactAt ?? COMPACT_AT
    this.#nextCompaction = this.#compactAt
  }

  async load(now: number): Promise<Loaded | undefined> {
    this.#lock ??= await this.#waitForLock()
    try {
      return await this.#read(now)
    } catch (error) {
      this.#release()
      throw error
    }
  }

  async attach(source: Source, { write }: { write: boolean }) {
    if (!this.#lock) this.#lock = this.options.alone ? lockNow(this.file, this.#calls) : await this.#waitForLock()
    this.#source = source
    try {
      removeLeftovers(this.file, this.#calls)
      this.snapshots.removeLeftovers()
      if (write) await this.#create(source)
      // From now on the log exists, even if it is empty: only a clean exit removes it.
      this.#log.open()
    } catch (error) {
      this.#release()
      throw error
    }
    if (this.#log.fsync)
      this.#confirmer = new Confirmer(this.#log, {
        onSuccess: () => this.#warnings.onSuccess(),
        onFailure: error => {
          this.#undoCount++
          this.#warnings.onFailure(error)
        },
      })
  }

  append(change: LoggedChange, undo: () => void) {
    try {
      this.#lock!.check()
      if (this.#adapter.size + this.#log.length > MAX_DATABASE_BYTES)
        throw new Error(`${this.file} would become larger than the 1.9 GB that can be read again`)
      this.#log.append(encodeLine(change))
    } catch (error) {
      this.#warnings.onFailure(error as Error)
      throw error
    }
    if (this.#confirmer) this.#confirmer.add(undo)
    else this.#warnings.onSuccess()
    if (this.#log.length > Math.max(this.#nextCompaction, this.#adapter.size)) this.#compactInBackground()
  }

  async durable() {
    await this.#confirmer?.confirmed()
  }

  get bytes() {
    return this.#log.length
  }

  /** Without `write`, the state that is not in the file yet is dropped. */
  async close({ write = true } = {}) {
    try {
      await this.#compacting
      if (write && this.#source) {
        this.#lock!.check()
        await this.#compact()
        this.#log.remove()
      }
    } finally {
      this.#release()
    }
  }

  #waitForLock(): Promise<Lock> {
    return lock(this.file, this.#calls, this.options.onWarning)
  }

  #release() {
    this.#source = undefined
    this.#log.close()
    this.#lock?.release()
    this.#lock = undefined
  }

  async #read(now: number): Promise<Loaded | undefined> {
    await this.#low.read()
    const stored = this.#low.data === NO_DATA ? undefined : this.#low.data
    this.#low.data = NO_DATA
    this.#seeded = stored?.seeded
    return load(stored, this.#adapter, this.#log, now)
  }

  /**
   * Creates the file; an old one stays until the new one replaces it. The seq goes on from the old log: if the process
   * ends before the log is cut, the next one sees by the seq that its lines are old.
   */
  async #create(source: Source) {
    const existing = this.#calls.read(this.file)
    if (existing && !isOwnDatabase(existing))
      throw new SimulatorError(
        'DATABASE_FOREIGN',
        `${this.file} is not a database of edgesim, and --fresh would overwrite it. Delete it first, or give --db another file.`,
      )
    let damage: SimulatorError | undefined
    const old = await this.#read(0).catch(error => {
      if (!(error instanceof SimulatorError)) throw error
      damage = error
    })
    this.#seeded = this.options.seeded
    if (old && this.#log.length > 0) source.seq = old.changes.at(-1)?.seq ?? old.seq
    await this.#write(put => {
      if (damage) this.#setAside(damage)
      put()
      this.#log.cut(this.#log.length)
    })
  }

  /** Renames the file, if there is one, and its log: either is of little use without the other. */
  #setAside({ message }: SimulatorError) {
    const others = new Set(this.#calls.list(dirname(this.file)))
    const isTaken = (name: string) => others.has(basename(name)) || others.has(basename(`${name}.log`))
    let aside = `${this.file}.damaged`
    for (let i = 2; isTaken(aside); i++) aside = `${this.file}.damaged.${i}`
    // The file first: without the log it would be resumed, as an older state.
    for (const suffix of ['', '.log'])
      if (others.has(basename(this.file + suffix))) this.#calls.rename(this.file + suffix, aside + suffix)
    this.#log.length = 0
    this.options.onWarning(`${message}.\nIt was set aside as ${aside}`)
  }

  /** Begins after this tick: the change that was just appended is not applied before. */
  #compactInBackground() {
    this.#compacting ??= pause()
      .then(() => this.#compact())
      .catch(error => {
        this.#nextCompaction = this.#log.length * 2
        this.options.onWarning(`${this.file} could not be rewritten (${error.message}); its log goes on`)
      })
      .finally(() => {
        this.#compacting = undefined
      })
  }

  /** Writes the present state to the file; what is appended meanwhile stays in the log. */
  async #compact() {
    const offset = this.#log.length
    const undoCount = this.#undoCount
    await this.#write(put => {
      this.#lock?.check()
      if (undoCount !== this.#undoCount) throw new Error('the disk did not confirm all of it')
      put()
      this.#log.cut(offset)
      this.#confirmer?.onCut(offset)
    })
    this.#nextCompaction = this.#compactAt
  }

  async #write(swap: (put: () => void) => void) {
    const { tables, seq, ids } = this.#source!
    this.#swap = swap
    const written = new Date(wallClock()).toISOString()
    this.#low.data = { ...storedOf(tables, seq, ids.counters), seeded: this.#seeded, written }
    await this.#low.write()
    this.#low.data = NO_DATA
  }
}
