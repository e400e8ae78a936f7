import type { Entry } from '../sandbox/index.ts'

type Output = Pick<NodeJS.WriteStream, 'write'>

/** Long enough for many requests, too short for a reader to notice. */
const WAIT_MS = 10
const MOST_WAITING = 500

/**
 * What is printed while requests come in. Lines are made and written together: one by one, the line would cost more than
 * a tenth of the request it tells of.
 */
export class Lines {
  #waiting: (string | Entry)[] = []
  /** When each was told. */
  #times: number[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(
    readonly output: Output,
    /** The line of a request, without its end. */
    readonly lineOf: (entry: Entry, time: number) => string,
  ) {}

  /** A line, or a request to make one of. */
  tell(what: string | Entry) {
    this.#waiting.push(what)
    this.#times.push(Date.now())
    if (this.#waiting.length >= MOST_WAITING) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const [waiting, times] = [this.#waiting, this.#times]
    this.#waiting = []
    this.#times = []
    let text = ''
    for (let i = 0; i < waiting.length; i++) {
      const what = waiting[i]!
      text += `${typeof what === 'string' ? what : this.lineOf(what, times[i]!)}\n`
    }
    this.output.write(text)
  }
}
