import type { Entry } from '../../contract/journal-entry.ts'
import type { SandboxEvent } from '../../sandbox/index.ts'
import type { Notice } from '../../simulator/hooks.ts'
import type { Simulator, Stored } from '../../simulator/types.ts'

/** What the ready message shows of the options. */
export interface Launched {
  fixture: string
  scenario: string | null
  vendor: string
  /** The file that holds the self-signed certificate. */
  certificate?: string
}

/** A format of the log; log.ts decides what is printed, and when. */
export interface LogWriter {
  notice(notice: Notice): void
  event(event: SandboxEvent): void
  ready(simulator: Simulator, launched: Launched): void
  /** The last message. */
  stopped(stored: Stored | undefined): void
  /** Writes what has not been written yet. */
  flush(): void
}

type Output = Pick<NodeJS.WriteStream, 'write'> & { writableLength?: number }

/** Long enough to collect many requests, too short for a reader to notice. */
const FLUSH_MS = 10
const MAX_WAITING_LINES = 500
export const MAX_UNREAD_LOG_BYTES = 1024 * 1024

/**
 * Lines are formatted and written in batches: one by one, a line would cost more than a tenth of its request. When
 * nobody reads the output, lines are dropped, so that the server neither stops nor fills its memory; the next line that
 * is written says how many.
 */
export class Lines {
  #waiting: (string | Entry)[] = []
  /** When each line was added. */
  #times: number[] = []
  #timer: NodeJS.Timeout | undefined
  #dropped = 0

  constructor(
    readonly output: Output,
    /** The line of a request, without its line break. */
    readonly lineOf: (entry: Entry, time: number) => string,
    /** The line that says how many were dropped. */
    readonly droppedLine: (text: string, lines: number) => string = text => text,
  ) {}

  /** Adds a line, or a request to format one for. */
  add(what: string | Entry) {
    this.#waiting.push(what)
    this.#times.push(Date.now())
    if (this.#waiting.length >= MAX_WAITING_LINES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const [waiting, times] = [this.#waiting, this.#times]
    this.#waiting = []
    this.#times = []
    if ((this.output.writableLength ?? 0) > MAX_UNREAD_LOG_BYTES) {
      this.#dropped += waiting.length
      return
    }
    let text = this.#dropped > 0 ? `${this.#describeDropped()}\n` : ''
    for (let i = 0; i < waiting.length; i++) {
      const what = waiting[i]!
      text += `${typeof what === 'string' ? what : this.lineOf(what, times[i]!)}\n`
    }
    this.output.write(text)
  }

  #describeDropped(): string {
    const lines = this.#dropped
    this.#dropped = 0
    return this.droppedLine(`${lines} lines of the log were dropped, because nobody read it`, lines)
  }
}
