import type { ScenarioReport } from '../contract/info.ts'
import type { JournalEntry } from '../contract/journal-entry.ts'
import type { ErrorFacts, Reply, Visit } from './api.ts'
import type { Caller, Operation } from './language/index.ts'
import type { Assumed } from './question.ts'

/** The rules of a scenario, active in one sandbox. */
export interface ActiveRules {
  readonly name: string
  /** The assumptions that the scenario changes. */
  readonly assumed: Assumed
  /** Whether the scenario sets the clock. */
  readonly setsClock: boolean
  /** The longest time that a rule looks back. */
  readonly lookBackMs: number
  /** Applies the rules in order and adds to existing effects. Latencies add up, and the first fault wins. */
  apply(subject: Subject, effects?: Effects): Effects | undefined
  report(): ScenarioReport
}

/** A call, or something else that rules apply to: a record with traffic, or the type of a delivered event. */
export type Subject = Pick<Visit, 'sourceIp' | 'now'> & { entry: Pick<JournalEntry, 'path' | 'rules'> } & (
    | { operation: Operation | undefined; caller: Caller; target?: undefined }
    | { target: string; operation?: undefined; caller?: undefined }
  )

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

/** A fault and its settings. It has one of `ending`, `deliver` and `run`. */
export interface Fault {
  type: string
  /** The effect on the client, in a few words. */
  effect: string
  appliesTo?(operation: Operation): boolean
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

/** An API call that a fault applies to. */
export interface FaultContext {
  visit: Visit
  /** Executes the call and returns its reply, even if it is an error. */
  execute(): Promise<Reply>
  /** An error in the format of the API. */
  errorReply(facts: ErrorFacts): Reply
  /** Makes reads see the state at that time, or the oldest known one. Returns the time since when states are known. */
  readAt(time: number): number
}

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

export type Deliver = (delivery: Delivery) => Promise<void>

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
