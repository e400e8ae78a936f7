interface Closable {
  close(): unknown
}

/** Open parts, closed in reverse order. */
export class Opened {
  readonly #parts: Closable[] = []
  #closing: Promise<void> | undefined

  add<T extends Closable | undefined>(part: T): T {
    if (part) this.#parts.push(part)
    return part
  }

  /** Closes every part, even if one fails. Then throws the first failure. */
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
