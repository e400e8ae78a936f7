import type { SandboxEvent } from '../../engine/sandbox/index.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Notice, Stored } from '../../simulator/types.ts'

export interface Log {
  notice(notice: Notice): void
  event(event: SandboxEvent): void
  ready(simulator: Simulator, launched: Launched): void
  /** The last message. */
  stopped(stored: Stored | undefined): void
  /** Writes all waiting lines. */
  flush(): void
}

/** Options shown in the ready message. */
export interface Launched {
  fixture: string
  scenario: string | null
  vendor: string
  /** The file with the self-signed certificate. */
  certificate?: string
}

type Output = Pick<NodeJS.WriteStream, 'write'> & { writableLength?: number }

/** Long enough to collect many requests, too short to notice. */
const FLUSH_MS = 10
const MAX_WAITING_LINES = 500
export const MAX_UNREAD_LOG_BYTES = 1024 * 1024

/**
 * Formats and writes lines in batches: a single line would cost more than a tenth of its request. If the output is not
 * read, lines are dropped to save memory, and the next written line reports their number.
 */
export class Lines {
  #waiting: (() => string)[] = []
  #timer: NodeJS.Timeout | undefined
  #dropped = 0

  constructor(
    readonly output: Output,
    /** Formats the line that reports dropped lines. */
    readonly droppedLine: (text: string, lines: number) => string = text => text,
  ) {}

  /** Adds a line, which is formatted on write. */
  add(line: () => string) {
    this.#waiting.push(line)
    if (this.#waiting.length >= MAX_WAITING_LINES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = []
    if ((this.output.writableLength ?? 0) > MAX_UNREAD_LOG_BYTES) {
      this.#dropped += waiting.length
      return
    }
    let text = this.#dropped > 0 ? `${this.#describeDropped()}\n` : ''
    for (const line of waiting) text += `${line()}\n`
    this.output.write(text)
  }

  #describeDropped(): string {
    const lines = this.#dropped
    this.#dropped = 0
    return this.droppedLine(`Dropped ${lines} log lines because the output was not read fast enough`, lines)
  }
}
