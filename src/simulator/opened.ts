interface Closable {
  close(): unknown
}

/** The parts that are open, to be closed: the last opened first. */
export class Opened {
  readonly #parts: Closable[] = []
  #closing: Promise<void> | undefined

  add<T extends Closable | undefined>(part: T): T {
    if (part) this.#parts.push(part)
    return part
  }

  /** Closes every part, also when one fails; then it throws the first failure. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  async #closeAll() {
    const failures: unknown[] = []
    for (const part of this.#parts.reverse()) {
      try {
        await part.close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
