import type * as z from 'zod'
import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Operation } from '../schema/index.ts'

/** What the client receives. */
export type Outcome =
  | {
      kind: 'answer'
      reply: Reply
      /** Sent in place of the reply's own body. */
      instead?: Buffer
      /** The connection ends after this many bytes of the body, though more were promised. */
      cutAfter?: number | 'half'
      bytesPerSecond?: number
    }
  /** Written to the connection without HTTP; then the connection ends. */
  | { kind: 'bytes'; bytes: Buffer }
  /** With `reset`, the client sees a TCP RST; otherwise the connection just ends. */
  | { kind: 'nothing'; reset: boolean }

export interface FaultContext {
  call: Call
  /** Carries out the call and returns its reply, also if that is an error. */
  carryOut(): Promise<Reply>
  /** Resolves after that long in real time, or as soon as the client leaves or the sandbox is reset. */
  wait(ms: number): Promise<void>
  /** `ERR_<VENDOR>_<number>` */
  errorCode(number: number): string
}

/** One failure, with its settings. */
export interface Fault {
  type: string
  /** What the client sees, in a few words. */
  effect: string
  /** As written in the scenario. */
  settings?: Record<string, unknown>
  /** Whether it can affect this call. */
  concerns?(call: Call): boolean
  /** How far back in time it reads the state. */
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

/** A type of fault: its settings in a scenario, and how to make a fault from them. */
export interface FaultKind {
  type: string
  settings: z.ZodRawShape
  /** It can also happen to the traffic of edges. */
  onEdges?: true
  /** Whether it can affect calls of this operation; all if omitted. */
  concerns?(operation: Operation): boolean
  make(settings: Record<string, unknown>): Fault
}

/** Declares a fault; `make` gets its settings with their types. */
export function faultKind<S extends z.ZodRawShape>(kind: {
  type: string
  settings: S
  onEdges?: true
  concerns?(operation: Operation): boolean
  make(settings: z.infer<z.ZodObject<S>>): Pick<Fault, 'effect' | 'run' | 'lookBackMs'>
}): FaultKind {
  const { type, settings, onEdges, concerns } = kind
  const forCalls = concerns && { concerns: (call: Call) => concerns(call.operation!) }
  const make = (given: Record<string, unknown>) => ({
    type,
    settings: given,
    ...forCalls,
    ...kind.make(given as never),
  })
  return { type, settings, onEdges, concerns, make }
}
