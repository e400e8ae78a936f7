/** How each part that was opened is closed; the last opened is closed first. */
export class Closing {
  readonly #steps: (() => unknown)[] = []
  #done: Promise<void> | undefined

  add(close: () => unknown) {
    this.#steps.push(close)
  }

  /** Closes everything, also when a step fails; then it throws the first failure. */
  close(): Promise<void> {
    this.#done ??= this.#close()
    return this.#done
  }

  async #close() {
    const failures: unknown[] = []
    for (const close of this.#steps.reverse()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
