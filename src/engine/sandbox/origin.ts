import type { LaunchToken } from '../../contract/info.ts'
import type { Api } from '../api.ts'
import type { Assumed } from '../question.ts'
import { type Base, History } from '../state/index.ts'
import { Clock } from './clock.ts'
import { Decisions } from './decisions.ts'
import { Deliveries } from './deliveries.ts'
import { Ids } from './ids.ts'
import { Journal } from './journal.ts'

/** The active rules of a scenario, as far as a sandbox needs them. scenarios/ applies them to calls. */
export interface ActiveRules {
  readonly name: string
  /** The longest time that a rule looks back. */
  readonly lookBackMs: number
  report(): Record<string, unknown>
}

/** The calls counted by a rate limit: the time of each in a rolling window, oldest first, or a fixed window. */
export interface Counted {
  times?: number[]
  window?: { since: number; used: number }
}

/** The initial state of a sandbox, restored by a reset. */
export interface Origin {
  api: Api
  base: Base
  /** The plain text tokens of its fixture and scenario. */
  tokens: readonly LaunchToken[]
  vendor: string
  seed?: string
  /** The seed of the sandbox's recipe or of an option. It overrides the scenario's seed. */
  fixedSeed?: string
  clock?: { now: number; frozen: boolean }
  assumed: Assumed
  /** Creates the rules of its scenario, with all counters at zero. */
  rules?: () => ActiveRules
}

/** The parts that a reset replaces. */
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
