import { setImmediate as pause } from 'node:timers/promises'
import { Low } from 'lowdb'
import { wallClock } from '../basics/real-time.ts'
import { SimulatorError } from '../contract/simulator-error.ts'
import type { LoggedChange } from '../state/index.ts'
import { Confirmer } from './confirmer.ts'
import { DatabaseFile } from './database-file.ts'
import { type FileCalls, fileCalls } from './file-calls.ts'
import { load } from './load.ts'
import { type Lock, lock, lockNow } from './lock.ts'
import { LogFile } from './log-file.ts'
import { encodeLine, readLog } from './log-line.ts'
import { isOurs } from './parse-stored.ts'
import { SnapshotFolder } from './snapshot-folder.ts'
import type { Loaded, Source, Store } from './store.ts'
import { type Seeded, type Stored, storedOf } from './stored.ts'
import { sweepLitter } from './temp-file.ts'
import { Trouble } from './trouble.ts'

export interface FileStoreOptions {
  durability: 'log' | 'fsync'
  calls?: FileCalls
  /** What a new file is created from. */
  seeded?: Seeded
  /** Nobody else can know of the file. */
  alone?: boolean
  /** The log is folded into the file when it is longer than this and than the file. */
  compactAt?: number
  /** Trouble with the disk, and its end. */
  onWarning(text: string): void
}

/** The variable is for tests that want to see many compactions. */
const COMPACT_AT = Number(process.env.EDGESIM_TEST_COMPACT_AT) || 1024 * 1024

/** Node reads files up to 2 GiB. */
export const MOST_BYTES = 1_900_000_000

/** A lowdb file with a log beside it: a change costs one line, and the file follows in the background. */
export class FileStore implements Store {
  readonly snapshots: SnapshotFolder
  readonly #calls: FileCalls
  readonly #adapter: DatabaseFile
  readonly #low: Low<Stored>
  readonly #log: LogFile
  #lock: Lock | undefined
  readonly #trouble: Trouble
  readonly #compactAt: number
  #swap: (put: () => void) => void = put => put()
  #confirmer: Confirmer | undefined
  #source: Source | undefined
  #seeded: Seeded | undefined
  #compacting: Promise<void> | undefined
  #nextCompaction: number
  /** Changes when what is being written is no longer the state. */
  #turn = 0

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
    this.#low = new Low<Stored>(this.#adapter, NOTHING)
    this.#log = new LogFile(`${file}.log`, calls, fsync)
    this.snapshots = new SnapshotFolder(`${file}.snapshots`, calls, fsync)
    this.#trouble = new Trouble(file, options.onWarning)
    this.#compactAt = options.compactAt ?? COMPACT_AT
    this.#nextCompaction = this.#compactAt
  }

  async load(now: number): Promise<Loaded | undefined> {
    this.#lock ??= await this.#waitForLock()
    try {
      await this.#low.read()
      const stored = this.#low.data === NOTHING ? undefined : this.#low.data
      this.#low.data = NOTHING
      this.#seeded = stored?.seeded
      return await load(stored, this.#adapter, this.#log, now)
    } catch (error) {
      this.#release()
      throw error
    }
  }

  async attach(source: Source, { write }: { write: boolean }) {
    if (!this.#lock) this.#lock = this.options.alone ? lockNow(this.file, this.#calls) : await this.#waitForLock()
    this.#source = source
    try {
      sweepLitter(this.file, this.#calls)
      this.snapshots.sweep()
      if (write) await this.#begin(source)
      // From here on it is there, also when it is empty: only a clean exit removes it.
      this.#log.open()
    } catch (error) {
      this.#release()
      throw error
    }
    if (this.#log.fsync)
      this.#confirmer = new Confirmer(this.#log, {
        onSuccess: () => this.#trouble.end(),
        onFailure: error => {
          this.#turn++
          this.#trouble.begin(error)
        },
      })
  }

  append(change: LoggedChange, undo: () => void) {
    try {
      this.#lock!.check()
      if (this.#adapter.size + this.#log.length > MOST_BYTES)
        throw new Error(`${this.file} would become larger than the 1.9 GB that can be read again`)
      this.#log.append(encodeLine(change))
    } catch (error) {
      this.#trouble.begin(error as Error)
      throw error
    }
    if (this.#confirmer) this.#confirmer.add(undo)
    else this.#trouble.end()
    if (this.#log.length > Math.max(this.#nextCompaction, this.#adapter.size)) this.#compactInBackground()
  }

  async durable() {
    await this.#confirmer?.confirmed()
  }

  get bytes() {
    return this.#log.length
  }

  /** What is to be thrown away need not be written. */
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

  /**
   * In place of whatever is there, which stays until the new file has taken its place. Counting goes on from the old
   * log: whoever finds that beside the new file, since the process ended before it was cut, takes its lines for old.
   */
  async #begin(source: Source) {
    this.#seeded = this.options.seeded
    const existing = this.#calls.read(this.file)
    if (existing && !isOurs(existing))
      throw new SimulatorError(
        'DATABASE_FOREIGN',
        `${this.file} is not a database of edgesim, and --fresh would overwrite it. Delete it first, or give --db another file.`,
      )
    const bytes = this.#calls.read(this.#log.file) ?? Buffer.alloc(0)
    this.#log.length = bytes.length
    source.seq = Math.max(source.seq, readLog(bytes).changes.at(-1)?.seq ?? 0)
    await this.#write(put => {
      put()
      this.#log.cut(bytes.length)
    })
  }

  /** Begins when this tick is over: only then has the change that was just appended been made. */
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

  /** Takes the state as it is now; what is appended meanwhile stays in the log. */
  async #compact() {
    const offset = this.#log.length
    const turn = this.#turn
    await this.#write(put => {
      this.#lock?.check()
      if (turn !== this.#turn) throw new Error('the disk did not confirm all of it')
      put()
      this.#log.cut(offset)
      this.#confirmer?.moved(offset)
    })
    this.#nextCompaction = this.#compactAt
  }

  async #write(swap: (put: () => void) => void) {
    const { tables, seq, ids } = this.#source!
    this.#swap = swap
    const written = new Date(wallClock()).toISOString()
    this.#low.data = { ...storedOf(tables.copy(), seq, ids.counters), seeded: this.#seeded, written }
    await this.#low.write()
    this.#low.data = NOTHING
  }
}

const NOTHING: Stored = { records: {}, deleted: {}, order: {}, seq: 0, counters: {} }
