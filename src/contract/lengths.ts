import { MAX_DEPTH } from '../basics/json.ts'
import type { Lengths } from '../basics/json-lengths.ts'

const MAX_TEXT_BYTES = 1024 * 1024

/** A body, unless its route has other limits. */
export const BODY: Lengths = { values: 40_000, list: 1_000, members: 1_000, text: MAX_TEXT_BYTES, depth: MAX_DEPTH }

/** A state. Only the body size limits its lists of records. */
export const STATE: Lengths = { ...BODY, values: 1_000_000, list: Number.POSITIVE_INFINITY }

/** A scenario or a sandbox, which can contain a state. */
export const WITH_STATE: Lengths = { ...BODY, state: { names: ['state', 'fixture'], lengths: STATE } }

/** A call. The API checks the inner body. */
export const CALL: Lengths = { ...BODY, list: BODY.values, members: BODY.values }

/** An agent message, which can contain a nested state. */
export const AGENT_MESSAGE: Lengths = { ...STATE, depth: MAX_DEPTH + 5 }

/** Every call is compared with every rule. */
export const MAX_SCENARIO_RULES = 1_000

/** Operations, paths or other values in one field of a rule's `when`. There are fewer operations. */
export const MAX_WHEN_VALUES = 300

/** Characters of a path or event type with `*`. */
export const MAX_GLOB_LENGTH = 1_000

/** No log has more entries. */
export const MAX_SEQUENCE_STEPS = 1_000

/** Characters of an error message in a coverage report. */
export const MAX_ERROR_MESSAGE = 200
