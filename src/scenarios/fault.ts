import type * as z from 'zod'
import type { Fault } from '../sandbox/index.ts'

/** How a fault is written in a scenario, and how one is made of that. */
export interface FaultKind {
  type: string
  settings: z.ZodRawShape
  make(settings: Record<string, unknown>): Fault
}

/** Gives `make` the types that its settings have. */
export function faultKind<S extends z.ZodRawShape>(kind: {
  type: string
  settings: S
  make(settings: z.infer<z.ZodObject<S>>): Omit<Fault, 'type'>
}): FaultKind {
  return { ...kind, make: settings => ({ type: kind.type, ...kind.make(settings as never) }) }
}
