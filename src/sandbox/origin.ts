import type { Assumed } from '../contract/assumptions.ts'
import type { LaunchToken } from '../contract/info.ts'
import { type Base, History } from '../state/index.ts'
import { Clock } from './clock.ts'
import { Decisions } from './decisions.ts'
import { Deliveries } from './deliveries.ts'
import { Ids } from './ids.ts'
import { Journal } from './journal.ts'

/** The rules of a scenario in use, as far as a sandbox needs to know them; scenarios/ applies them to calls. */
export interface ActiveRules {
  readonly name: string
  /** The longest time that a rule looks back. */
  readonly lookBackMs: number
  report(): Record<string, unknown>
}

/** The calls that a rate limit counts: the time of each in a rolling window, oldest first, or a fixed window. */
export interface Counted {
  times?: number[]
  window?: { since: number; used: number }
}

/** What a sandbox is created with, and returns to when it is reset. */
export interface Origin {
  base: Base
  /** The plain text tokens of its fixture and scenario. */
  tokens: readonly LaunchToken[]
  vendor: string
  seed?: string
  /** The seed of the sandbox's recipe or of a flag; it has precedence over that of a scenario. */
  fixedSeed?: string
  clock?: { now: number; frozen: boolean }
  assumed: Assumed
  /** Makes the rules of its scenario, with nothing counted yet. */
  rules?: () => ActiveRules
}

/** What a reset makes anew; the old parts come back when the disk does not confirm the reset. */
export interface ResetParts {
  origin: Origin
  ids: Ids
  clock: Clock
  journal: Journal
  decisions: Decisions
  deliveries: Deliveries
  history: History
  assumed: Assumed
  rules: ActiveRules | undefined
  counted: Counted
  tokens: readonly LaunchToken[]
}

export const newParts = (name: string, origin: Origin): ResetParts => ({
  origin,
  ids: new Ids(origin.seed, name),
  clock: new Clock(origin.clock),
  journal: new Journal(),
  decisions: new Decisions(),
  deliveries: new Deliveries(),
  history: new History(),
  assumed: origin.assumed,
  rules: origin.rules?.(),
  counted: {},
  tokens: origin.tokens,
})
