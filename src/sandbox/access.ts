import type { Caller } from '../schema/index.ts'
import type { Tables } from '../state/index.ts'
import type { Restriction } from '../state/restrictions.ts'

/** Who a token belongs to, and what its calls must pass: the same until the state changes. */
export interface Access {
  /** The Authorization header. */
  header: string
  tables: Tables
  version: number
  caller: Caller
  /** The caller as the journal shows it. */
  shown: { id: string; key_id: string }
  restrictions: readonly Restriction[]
}
