import type { DiskWarnings } from './disk-errors.ts'
import type { LogFile } from './log-file.ts'

/** For --durability fsync: delays answers until the disk has confirmed their changes. One flush serves all of them. */
export class Confirmer {
  /** Undo the changes that are not confirmed yet, the newest last. */
  #undos: (() => void)[] = []
  /** Called when a flush has ended, with an error if it failed. */
  #waiting: ((error?: Error) => void)[] = []
  #flushing = false
  /** How often changes were undone: a state that is being written may then hold some of them. */
  undoCount = 0

  constructor(
    readonly log: LogFile,
    readonly warnings: DiskWarnings,
  ) {}

  /** Takes the undo of the change that was just appended to the log. */
  add(undo: () => void) {
    this.#undos.push(undo)
  }

  /**
   * Resolves when the disk has confirmed all changes so far. If it does not, they are undone, and this rejects. `then` is
   * called before the next flush begins.
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
        // Changes made during the flush build on those that failed.
        for (const confirm of [...served, ...this.#waiting.splice(0)]) confirm(error as Error)
      }
    }
    this.#flushing = false
  }

  /** All in one tick: nobody sees changes that are half undone. */
  #undoAll() {
    for (const undo of this.#undos.splice(0).reverse()) undo()
    this.undoCount++
    try {
      this.log.removeUnconfirmed()
    } catch {
      // The log does so itself before the next append.
    }
  }
}
