import type { PolicyMatcher } from '../ip/policy.ts'
import type { Caller } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'

/** An IP restriction of type api. */
export interface Gate {
  id: string
  enforced: boolean
  /** Undefined when the restriction has no policies. */
  matcher: PolicyMatcher | undefined
}

/** Who a token belongs to, and what its calls must pass: the same until the state changes. */
export interface Access {
  /** The Authorization header. */
  header: string
  tables: Tables
  version: number
  caller: Caller
  /** The caller as the journal shows it. */
  shown: { id: string; key_id: string }
  gates: readonly Gate[]
}
