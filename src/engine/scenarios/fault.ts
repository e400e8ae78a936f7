import type { Members, ObjectOf } from '../../basics/shape.ts'
import type { Operation } from '../language/index.ts'
import type { Effects, Fault, Outcome } from '../rules.ts'

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
  return { ...kind, make: settings => ({ type, appliesTo, ...kind.make(settings as never) }) }
}
