import type { Call } from '../sandbox/index.ts'

/** An answer as bytes, ready to be sent or spoilt. */
export interface Answer {
  status: number
  headers: Record<string, string | number>
  body: Buffer
}

/** The connection to the client, as far as faults may touch it. */
export interface Wire {
  /** Sends the answer as it is. */
  send(answer: Answer): void
  /** Sends the head of an answer, whose Content-Length promises all of its body. */
  head(answer: Answer): void
  write(bytes: Buffer): void
  end(): void
  /** Bytes straight onto the connection, whatever HTTP would have. */
  raw(bytes: Buffer): void
  /** Ends the connection in the middle of whatever it was doing. */
  cut(): void
  /** TCP RST: the client sees a connection reset by its peer. */
  reset(): void
  /** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
  wait(ms: number): Promise<void>
  /** True once the client has left or the sandbox was reset: nothing more needs to be sent. */
  readonly over: boolean
}

export interface FaultContext {
  call: Call
  wire: Wire
  /** Carries the call out, as it would have been, and gives its answer without sending it. */
  carryOut(): Promise<Answer>
  /** An answer that is not the call's own. */
  toAnswer(reply: { status: number; body?: Record<string, unknown>; headers?: Record<string, string> }): Answer
  /** `ERR_<VENDOR>_<number>` */
  errorCode(number: number): string
}

/** One way to go wrong. */
export interface Fault {
  type: string
  /** What the client sees, in a few words. */
  effect: string
  /** Whether it has anything to do with such a call. */
  concerns?(call: Call): boolean
  run(context: FaultContext): Promise<void> | void
}

/** What rules do to one call. */
export interface Effects {
  /** In real time, before anything else happens. */
  delayMs: number
  /** Sent with the answer, whatever it is. */
  headers: Record<string, string>
  fault?: Fault
}
