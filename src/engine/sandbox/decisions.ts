import type { Decision } from '../../contract/traffic.ts'
import { BoundedLog } from './bounded-log.ts'

/** Per sandbox. */
export const MAX_DECISIONS = 1000
const MAX_DECISION_BYTES = 4 * 1024 * 1024
/** An estimate for the parts of a decision that are not counted. */
const OTHER_BYTES = 1024

/** The latest decisions about a sandbox's traffic. */
export class Decisions extends BoundedLog<Decision> {
  constructor() {
    super(MAX_DECISIONS, MAX_DECISION_BYTES)
  }

  /** Sets the decision's id. */
  add(decision: Decision): Decision {
    this.push(decision, sizeOf(decision))
    decision.id = `tr_${decision.seq}`
    return decision
  }
}

/** The approximate size. */
function sizeOf({ path, explanation, headers }: Decision): number {
  let bytes = OTHER_BYTES + (path?.length ?? 0) + explanation.text.length
  for (const [name, value] of Object.entries(headers?.added ?? {})) bytes += name.length + value.length
  for (const name of headers?.removed ?? []) bytes += name.length
  return bytes
}
