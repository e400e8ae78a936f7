import type { LogFile } from './log-file.ts'

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** For --durability fsync: delays answers until the disk has confirmed their changes. One flush serves all of them. */
export class Confirmer {
  /** Undo the changes that are not confirmed yet, the newest last. */
  #undos: (() => void)[] = []
  /** Bytes of the log that are confirmed. */
  #confirmedBytes: number
  #waiting: Waiting[] = []
  #flushing = false

  constructor(
    readonly log: LogFile,
    readonly callbacks: { onSuccess(): void; onFailure(error: Error): void },
  ) {
    this.#confirmedBytes = log.length
  }

  /** Takes the undo of the change that was just appended to the log. */
  add(undo: () => void) {
    this.#undos.push(undo)
  }

  /** Resolves when the disk has confirmed all changes so far. If it does not, they are undone, and this rejects. */
  async confirmed(): Promise<void> {
    if (this.#undos.length === 0) return
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (!this.#flushing) void this.#run()
    })
  }

  /** The log was cut at its start: a flush under way confirms a file that is gone. */
  onCut(offset: number) {
    this.#undos = [...this.#undos]
    this.#confirmedBytes = Math.max(0, this.#confirmedBytes - offset)
  }

  async #run() {
    this.#flushing = true
    while (this.#waiting.length > 0) {
      const served = this.#waiting.splice(0)
      const undos = this.#undos
      const [count, bytes] = [undos.length, this.log.length]
      const failure = await this.log.sync().then(
        () => undefined,
        error => error,
      )
      if (undos !== this.#undos) this.#waiting.unshift(...served)
      else if (failure) this.#fail(failure, served)
      else {
        undos.splice(0, count)
        this.#confirmedBytes = bytes
        this.callbacks.onSuccess()
        for (const { resolve } of served) resolve()
      }
    }
    this.#flushing = false
  }

  /** All in one tick: nobody sees changes that are half undone. */
  #fail(error: Error, served: Waiting[]) {
    for (const undo of this.#undos.splice(0).reverse()) undo()
    try {
      this.log.shorten(this.#confirmedBytes)
    } catch {
      // The log shortens itself before the next append.
    }
    this.callbacks.onFailure(error)
    // Changes made during the flush build on those that failed.
    for (const { reject } of [...served, ...this.#waiting.splice(0)]) reject(error)
  }
}
