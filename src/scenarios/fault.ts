import type * as z from 'zod'
import type { Call } from '../sandbox/index.ts'
import type { Operation } from '../schema/index.ts'
import type { Fault } from './effects.ts'

/** How a fault is written in a scenario, and how one is made of that. */
export interface FaultKind {
  type: string
  settings: z.ZodRawShape
  /** It can also happen to what an edge carries. */
  onEdges?: true
  /** The operations it can affect, if not all. */
  concerns?(operation: Operation): boolean
  make(settings: Record<string, unknown>): Fault
}

/** Gives `make` the types that its settings have. */
export function faultKind<S extends z.ZodRawShape>(kind: {
  type: string
  settings: S
  onEdges?: true
  concerns?(operation: Operation): boolean
  make(settings: z.infer<z.ZodObject<S>>): Pick<Fault, 'effect' | 'run' | 'lookBackMs'>
}): FaultKind {
  const { type, settings, onEdges, concerns } = kind
  const about = concerns && { concerns: (call: Call) => concerns(call.operation!) }
  const make = (given: Record<string, unknown>) => ({ type, settings: given, ...about, ...kind.make(given as never) })
  return { type, settings, onEdges, concerns, make }
}
