import type * as z from 'zod'
import type { Reply } from '../operations/index.ts'
import type { Call } from '../sandbox/index.ts'
import type { Operation } from '../schema/index.ts'

/** An answer on its way to the client: a reply of the API, a response of an upstream, or the bytes of a connection. */
export interface Delivery {
  /** Of a response or a connection, in the parts that arrive. */
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>
  /** How many bytes the body has, where that is known. */
  readonly length: number | undefined
  /** The client has left, or the sandbox was reset. */
  readonly over: boolean
  /** Sends bytes of the body, and before the first of them the head. Resolves when more can be sent. */
  write(bytes: Buffer): Promise<void>
  /** The answer is complete. */
  end(): void
  /** Ends the connection before the answer is complete; without a byte of the body, in the middle of the head. */
  cut(): void
  /** Resolves after that long in real time, or as soon as it is over. */
  wait(ms: number): Promise<void>
}

export type Deliver = (delivery: Delivery) => Promise<void>

/** What the client receives. */
export type Outcome<A = Reply> = ReplyOutcome<A> | Ending

/** With `deliver`, that sends the answer, and not always all of it. */
export interface ReplyOutcome<A> {
  kind: 'reply'
  reply: A
  deliver?: Deliver
}

/** The connection ends without an answer: after some bytes that are not HTTP, by a TCP RST, after a time. */
export interface Ending {
  kind: 'ending'
  bytes?: Buffer
  reset?: true
  afterMs?: number
}

/** A call of the API that a fault concerns. */
export interface FaultContext {
  call: Call
  /** Carries out the call and returns its reply, also if that is an error. */
  execute(): Promise<Reply>
  /** `ERR_<VENDOR>_<number>` */
  errorCode(number: number | null, status: number): string
}

/** One failure, with its settings: it has one of `ending`, `deliver` and `run`. */
export interface Fault {
  type: string
  /** What the client sees, in a few words. */
  effect: string
  /** Whether it can affect this call. */
  concerns?(call: Call): boolean
  /** How far back in time it reads the state. */
  lookBackMs?: number
  /** Nothing is carried out. */
  ending?: Ending
  deliver?: Deliver
  /** The status that it answers with; all that the sender of an event sees of an answer. */
  status?: number
  /** For faults of calls only. */
  run?(context: FaultContext): Outcome | Promise<Outcome>
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

/** A call of the API, or a connection or request to an edge, that rules concern. */
export interface Concerned<A> {
  /** As the journal shows them. */
  rules: readonly { fired: boolean; effect: string }[]
  /** Waits in real time. Says whether the client is still there. */
  wait(ms: number): Promise<boolean>
  /** Carries the call out, or forwards to the upstream. */
  execute(): Promise<A>
  /** Runs a fault of calls. */
  run?(run: NonNullable<Fault['run']>): Promise<Outcome<A>>
}

/** Applies what rules do: a latency before the call, a fault to the call, a latency before the answer. */
export async function applyEffects<A>(effects: Effects, on: Concerned<A>): Promise<Outcome<A>> {
  const { delayMs, delayAfterMs, fault } = effects
  const leftDuring = async (ms: number) => {
    if (ms === 0 || (await on.wait(ms))) return false
    on.rules.findLast(({ fired }) => fired)!.effect += ', but the client left before that'
    return true
  }
  if (await leftDuring(delayMs)) return { kind: 'ending' }
  const outcome = fault?.ending ?? (await execute(fault, on))
  return (await leftDuring(delayAfterMs)) ? { kind: 'ending' } : outcome
}

async function execute<A>(fault: Fault | undefined, on: Concerned<A>): Promise<Outcome<A>> {
  if (fault?.run) return on.run!(fault.run)
  return { kind: 'reply', reply: await on.execute(), deliver: fault?.deliver }
}

/** A type of fault: its settings in a scenario, and how to make a fault from them. */
export interface FaultKind {
  type: string
  settings: z.ZodRawShape
  /** It can also happen to the traffic of edges. */
  onEdges?: true
  /** It can also happen to an event that is sent to a destination. */
  onDeliveries?: true
  /** Whether it can affect calls of this operation; all if omitted. */
  concerns?(operation: Operation): boolean
  make(settings: Record<string, unknown>): Fault
}

/** Declares a fault; `make` gets its settings with their types. */
export function faultKind<S extends z.ZodRawShape>(
  kind: Omit<FaultKind, 'settings' | 'make'> & {
    settings: S
    make(settings: z.infer<z.ZodObject<S>>): Omit<Fault, 'type' | 'concerns'>
  },
): FaultKind {
  const { type, concerns } = kind
  const forCalls = concerns && { concerns: (call: Call) => concerns(call.operation!) }
  return { ...kind, make: settings => ({ type, ...forCalls, ...kind.make(settings as never) }) }
}
