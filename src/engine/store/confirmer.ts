import type { DiskWarnings } from './disk-errors.ts'
import type { LogFile } from './log-file.ts'

/** For --durability fsync: delays responses until the disk has confirmed their changes, with one flush for all. */
export class Confirmer {
  /** Undo functions for unconfirmed changes, newest last. */
  #undos: (() => void)[] = []
  /** Called when a flush has ended, with an error if it failed. */
  #waiting: ((error?: Error) => void)[] = []
  #flushing = false
  /** Counts undos. If it changes while a state is written, that state may contain undone changes. */
  undoCount = 0

  constructor(
    readonly log: LogFile,
    readonly warnings: DiskWarnings,
  ) {}

  /** Adds the undo function of the change that was just appended to the log. */
  add(undo: () => void) {
    this.#undos.push(undo)
  }

  /**
   * Resolves when the disk has confirmed all changes so far. If that fails, undoes them and rejects. `then` is called
   * before the next flush starts.
   */
  async confirmed(then = () => {}): Promise<void> {
    if (this.#undos.length === 0) return then()
    const done = async () => then()
    return new Promise((resolve, reject) => {
      this.#waiting.push(error => (error ? reject(error) : resolve(done())))
      if (!this.#flushing) void this.#run()
    })
  }

  async #run() {
    this.#flushing = true
    while (this.#waiting.length > 0) {
      const served = this.#waiting.splice(0)
      const count = this.#undos.length
      try {
        await this.log.sync()
        this.#undos.splice(0, count)
        this.warnings.onSuccess()
        for (const confirm of served) confirm()
      } catch (error) {
        this.#undoAll()
        this.warnings.onFailure(error as Error)
        // Changes made during the flush depend on the failed ones.
        for (const confirm of [...served, ...this.#waiting.splice(0)]) confirm(error as Error)
      }
    }
    this.#flushing = false
  }

  /** Runs in one tick, so no request sees partly undone changes. */
  #undoAll() {
    for (const undo of this.#undos.splice(0).reverse()) undo()
    this.undoCount++
    try {
      this.log.removeUnconfirmed()
    } catch {
      // The log retries before the next append.
    }
  }
}
