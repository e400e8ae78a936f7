import type { Members, ObjectOf } from '../../basics/shape.ts'
import type { ErrorFacts, Reply } from '../api.ts'
import type { Operation } from '../language/index.ts'
import type { Call } from '../sandbox/index.ts'

/** A response on its way to the client: from the API, from an upstream, or as the bytes of a connection. */
export interface Delivery {
  /** The chunks of a response body or connection. */
  readonly body: AsyncIterable<Buffer> | Iterable<Buffer>
  /** The body length, if it is known. */
  readonly length: number | undefined
  /** The client has disconnected, or the sandbox was reset. */
  readonly over: boolean
  /** Sends bytes of the body, and the head before the first ones. Resolves when more can be sent. */
  write(bytes: Buffer): Promise<void>
  /** The response is complete. */
  end(): void
  /** Closes the connection before the response is complete. If no body was sent, cuts the head. */
  cut(): void
  /** Resolves after that time (real time), or when `over` becomes true. */
  wait(ms: number): Promise<void>
}

export type Deliver = (delivery: Delivery) => Promise<void>

export type Outcome<A = Reply> = ReplyOutcome<A> | Ending

/** `deliver` sends the response, possibly only a part of it. */
export interface ReplyOutcome<A> {
  kind: 'reply'
  reply: A
  deliver?: Deliver
}

/** Ends the connection without a response: with bytes that are not HTTP, with a TCP RST, or after a time. */
export interface Ending {
  kind: 'ending'
  bytes?: Buffer
  reset?: true
  afterMs?: number
}

/** An API call that a fault applies to. */
export interface FaultContext {
  call: Call
  /** Executes the call and returns its reply, even if it is an error. */
  execute(): Promise<Reply>
  /** An error in the format of the API. */
  errorReply(facts: ErrorFacts): Reply
}

/** A fault and its settings. It has one of `ending`, `deliver` and `run`. */
export interface Fault {
  type: string
  /** The effect on the client, in a few words. */
  effect: string
  appliesTo?(call: Call): boolean
  /** How far back in time it reads the state. */
  lookBackMs?: number
  /** The request is not executed. */
  ending?: Ending
  deliver?: Deliver
  /** The status it returns, which is all that the sender of an event sees. */
  status?: number
  /** Only for faults of API calls. */
  run?(context: FaultContext): Outcome | Promise<Outcome>
}

/** The effects of rules on one call. */
export interface Effects {
  /** Real time before the call. */
  delayMs: number
  /** Real time between the execution of the call and its response. */
  delayAfterMs: number
  /** Sent with every response. */
  headers: Record<string, string>
  fault?: Fault
}

/** An API call, or a connection or request of a record's traffic, that rules apply to. */
export interface Affected<A> {
  /** As shown in the journal. */
  rules: readonly { fired: boolean; effect: string }[]
  /** Waits in real time. Returns whether the client is still connected. */
  wait(ms: number): Promise<boolean>
  /** Executes the call, or forwards it to the upstream. */
  execute(): Promise<A>
  /** Runs a fault of API calls. */
  run?(run: NonNullable<Fault['run']>): Promise<Outcome<A>>
}

/** Applies a latency before the call, a fault, and a latency before the response. */
export async function applyEffects<A>(effects: Effects, on: Affected<A>): Promise<Outcome<A>> {
  const { delayMs, delayAfterMs, fault } = effects
  const disconnectsDuring = async (ms: number) => {
    if (ms === 0 || (await on.wait(ms))) return false
    on.rules.findLast(({ fired }) => fired)!.effect += ', but the client disconnected before that'
    return true
  }
  if (await disconnectsDuring(delayMs)) return { kind: 'ending' }
  const outcome = fault?.ending ?? (await execute(fault, on))
  return (await disconnectsDuring(delayAfterMs)) ? { kind: 'ending' } : outcome
}

async function execute<A>(fault: Fault | undefined, on: Affected<A>): Promise<Outcome<A>> {
  if (fault?.run) return on.run!(fault.run)
  return { kind: 'reply', reply: await on.execute(), deliver: fault?.deliver }
}

/** A fault type: its settings in a scenario, and how to create a fault from them. */
export interface FaultKind {
  type: string
  settings: Members
  /** Also applies to the traffic of records. */
  onTraffic?: true
  /** Also applies to event deliveries. */
  onDeliveries?: true
  /** Whether it can affect this operation. Default: all operations. */
  appliesTo?(operation: Operation): boolean
  make(settings: Record<string, unknown>): Fault
}

/** Declares a fault type with typed settings. */
export function faultKind<const S extends Members>(
  kind: Omit<FaultKind, 'settings' | 'make'> & {
    settings: S
    make(settings: ObjectOf<S>): Omit<Fault, 'type' | 'appliesTo'>
  },
): FaultKind {
  const { type, appliesTo } = kind
  const forCalls = appliesTo && { appliesTo: (call: Call) => appliesTo(call.operation!) }
  return { ...kind, make: settings => ({ type, ...forCalls, ...kind.make(settings as never) }) }
}
