type Output = Pick<NodeJS.WriteStream, 'write'>

/** Long enough for the lines of many requests, too short for a reader to notice. */
const WAIT_MS = 10
const MOST_LENGTH = 64 * 1024

/**
 * What is printed while requests come in. Lines are written together: a write for each would cost more than the request
 * it tells of.
 */
export class Lines {
  #waiting = ''
  #timer: NodeJS.Timeout | undefined

  constructor(readonly output: Output) {}

  /** A line, or several, with their ends. */
  write(text: string) {
    this.#waiting += text
    if (this.#waiting.length > MOST_LENGTH) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting === '') return
    this.output.write(this.#waiting)
    this.#waiting = ''
  }
}
