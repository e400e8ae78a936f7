import type { LogFile } from './log-file.ts'

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/** For --durability fsync: holds answers until the disk has confirmed what they say, one flush for all who wait. */
export class Confirmer {
  /** Takes back the changes that are not confirmed yet, the newest last. */
  #undos: (() => void)[] = []
  /** Bytes of the log that are confirmed. */
  #safe: number
  #waiting: Waiting[] = []
  #busy = false

  constructor(
    readonly log: LogFile,
    readonly hear: { onSuccess(): void; onFailure(error: Error): void },
  ) {
    this.#safe = log.length
  }

  /** The change that was just appended to the log. */
  add(undo: () => void) {
    this.#undos.push(undo)
  }

  /** Resolves when all that was added is safe. When it cannot be made so, it is taken back, and this rejects. */
  async confirmed(): Promise<void> {
    if (this.#undos.length === 0) return
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (!this.#busy) void this.#run()
    })
  }

  /** The log was cut: what a flush under way says is about a file that is gone. */
  moved(offset: number) {
    this.#undos = [...this.#undos]
    this.#safe = Math.max(0, this.#safe - offset)
  }

  async #run() {
    this.#busy = true
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
        this.#safe = bytes
        this.hear.onSuccess()
        for (const { resolve } of served) resolve()
      }
    }
    this.#busy = false
  }

  /** All in one tick: nobody sees a change that is half taken back. */
  #fail(error: Error, served: Waiting[]) {
    for (const undo of this.#undos.splice(0).reverse()) undo()
    try {
      this.log.shorten(this.#safe)
    } catch {
      // The log does so itself before it takes anything more.
    }
    this.hear.onFailure(error)
    // Those who came while it was flushed built on what has failed.
    for (const { reject } of [...served, ...this.#waiting.splice(0)]) reject(error)
  }
}
