import type { Entry } from '../../contract/journal-entry.ts'

type Output = Pick<NodeJS.WriteStream, 'write'> & { writableLength?: number }

/** Long enough for many requests, too short for a reader to notice. */
const WAIT_MS = 10
const MOST_WAITING = 500
/** Bytes that may wait for whoever reads the output. */
const MOST_UNREAD = 1024 * 1024

/**
 * What is printed while requests come in. Lines are made and written together: one by one, the line would cost more than
 * a tenth of the request it tells of. An output that nobody reads neither stops the server nor fills its memory: lines
 * are dropped then, and the next one that gets through tells how many.
 */
export class Lines {
  #waiting: (string | Entry)[] = []
  /** When each was told. */
  #times: number[] = []
  #timer: NodeJS.Timeout | undefined
  #dropped = 0

  constructor(
    readonly output: Output,
    /** The line of a request, without its end. */
    readonly lineOf: (entry: Entry, time: number) => string,
    /** Tells in a line that so many were dropped. */
    readonly droppedLine: (text: string, lines: number) => string = text => text,
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
    if ((this.output.writableLength ?? 0) > MOST_UNREAD) {
      this.#dropped += waiting.length
      return
    }
    let text = this.#dropped > 0 ? `${this.#tellDropped()}\n` : ''
    for (let i = 0; i < waiting.length; i++) {
      const what = waiting[i]!
      text += `${typeof what === 'string' ? what : this.lineOf(what, times[i]!)}\n`
    }
    this.output.write(text)
  }

  #tellDropped(): string {
    const lines = this.#dropped
    this.#dropped = 0
    return this.droppedLine(`${lines} lines of the log were dropped, because nobody read it`, lines)
  }
}
