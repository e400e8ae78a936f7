type Output = Pick<NodeJS.WriteStream, 'write'>

/**
 * What is printed while requests come in. Lines are written together, once in a turn of the event loop: a write for each
 * would cost more than the request it tells of.
 */
export class Lines {
  #waiting = ''

  constructor(readonly output: Output) {}

  /** A line, or several, with their ends. */
  write(text: string) {
    if (this.#waiting === '') setImmediate(() => this.flush())
    this.#waiting += text
  }

  flush() {
    if (this.#waiting === '') return
    this.output.write(this.#waiting)
    this.#waiting = ''
  }
}
