import type { EventDelivery } from '../../contract/event-delivery.ts'
import type { LaunchToken } from '../../contract/info.ts'
import type { Decision } from '../../contract/traffic.ts'
import type { Api } from '../api.ts'
import type { Assumed } from '../question.ts'
import type { ActiveRules } from '../rules.ts'
import { type Base, History } from '../state/index.ts'
import { BoundedLog } from './bounded-log.ts'
import { Clock } from './clock.ts'
import { Ids } from './ids.ts'
import { Journal } from './journal.ts'
import { Lifetime } from './lifetime.ts'

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

/** What a scenario, or the end of one, changes in a sandbox. */
export interface Governing {
  assumed: Assumed
  rules: ActiveRules | undefined
  seed: string | undefined
  /** Default: the clock is unchanged. */
  clock?: Clock
}

/** The parts of a sandbox. Immutable: a reset replaces all of them, a scenario some. */
export interface Parts {
  readonly origin: Origin
  readonly ids: Ids
  readonly clock: Clock
  readonly journal: Journal
  /** The latest decisions about traffic. */
  readonly decisions: BoundedLog<Decision>
  /** The latest events. The pending ones form a queue per destination. */
  readonly deliveries: BoundedLog<EventDelivery>
  readonly history: History
  readonly assumed: Assumed
  readonly rules: ActiveRules | undefined
  /** The calls counted by the API's own rate limit. Limits in rules have their own counters. */
  readonly counted: Counted
  /** Plain text tokens that may still work. */
  readonly tokens: readonly LaunchToken[]
  /** Ends when the sandbox is reset or dropped. Then waits end, and earlier requests can no longer write. */
  readonly lifetime: Lifetime
}

export const newParts = (name: string, origin: Origin): Parts => ({
  origin,
  ids: new Ids(origin.seed, name),
  clock: new Clock(origin.clock),
  journal: new Journal(),
  decisions: new BoundedLog(),
  deliveries: new BoundedLog(),
  history: new History(),
  assumed: origin.assumed,
  rules: origin.rules?.(),
  counted: {},
  tokens: origin.tokens,
  lifetime: new Lifetime(),
})
