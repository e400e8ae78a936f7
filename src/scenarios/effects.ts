import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'

/** What the client gets to see of a call. */
export type Outcome =
  | {
      kind: 'answer'
      reply: Reply
      /** Sent in place of the reply's own body. */
      instead?: Buffer
      /** The connection ends after so many bytes of the body, though more were promised. */
      cutAfter?: number | 'half'
      bytesPerSecond?: number
    }
  /** Straight onto the connection, which then ends: nothing that HTTP would have. */
  | { kind: 'bytes'; bytes: Buffer }
  /** With `reset`, the client sees a TCP RST; else the connection just ends. */
  | { kind: 'nothing'; reset: boolean }

export interface FaultContext {
  call: Call
  /** Carries the call out as usual and gives its reply, also when that is a refusal. */
  carryOut(): Promise<Reply>
  /** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
  wait(ms: number): Promise<void>
  /** `ERR_<VENDOR>_<number>` */
  errorCode(number: number): string
}

/** One kind of failure. */
export interface Fault {
  type: string
  /** What the client sees, in a few words. */
  effect: string
  /** As they were written. */
  settings?: Record<string, unknown>
  /** Whether it can affect this call. */
  concerns?(call: Call): boolean
  /** How far back in time it looks. */
  lookBackMs?: number
  run(context: FaultContext): Outcome | Promise<Outcome>
}

/** What rules do to one call. */
export interface Effects {
  /** In real time, before anything else happens. */
  delayMs: number
  /** In real time, after the call was carried out and before it is answered. */
  delayAfterMs: number
  /** Sent with the answer, whatever it is. */
  headers: Record<string, string>
  fault?: Fault
}
