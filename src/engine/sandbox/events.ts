import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { Decision } from '../../contract/traffic.ts'
import type { Change } from '../state/index.ts'
import type { StoredEntry } from './journal.ts'

/** A request event includes the seq of the oldest request in the journal. */
export type SandboxEvent =
  | { type: 'request'; sandbox: string; data: StoredEntry; oldestSeq: number }
  | { type: 'change'; sandbox: string; data: Change }
  | { type: 'warning'; sandbox: string; data: { operation_id: string; text: string } }
  | { type: 'traffic'; sandbox: string; data: Decision }
  | { type: 'delivery'; sandbox: string; data: EventDelivery }
  | { type: 'reset'; sandbox: string; data: Record<string, never> }
  | { type: 'expired'; sandbox: 'default'; data: Expired }

/** Unused sandboxes that were dropped together. */
export interface Expired {
  count: number
  /** The names of the first hundred. */
  sandboxes: string[]
  unused_for: string
}
