import type { Assumed } from './assumptions.ts'
import { fail } from './errors.ts'
import { inlineDocument, parseDocument, readDocument, type SourceDocument } from './files/document.ts'
import type { NamedFiles } from './files/named-files.ts'
import { type Fixture, type LaunchToken, type Rows, readFixture } from './fixtures/index.ts'
import { Ids, type Origin, Sandbox, type SandboxEvent } from './sandbox/index.ts'
import { type Rule, RuleSet, readScenario, type Scenario, stateOf, tokensAfter } from './scenarios/index.ts'
import { type Base, baseOf, Tables } from './state/index.ts'
import { hashToken, joinToken, type Token } from './token.ts'
import { NAME } from './words/name.ts'

type Json = Record<string, unknown>

/** What the simulator was started with: new sandboxes are forks of it. */
export interface Launch {
  fixture: Fixture
  scenario?: Scenario
  /** What can be asked for by name. */
  fixtures: NamedFiles
  scenarios: NamedFiles
  /** What flags say: a scenario cannot say otherwise. */
  flags: Flags
  maxSandboxes: number
  /** In milliseconds; the time of records that give none. */
  startedAt: number
}

export interface Flags {
  assumed: Assumed
  seed?: string
  clock?: { now: number; frozen: boolean }
}

/** What a sandbox is to be made of, where it is not what the simulator was started with. */
export interface Recipe {
  fixture?: string | Json
  scenario?: string | Json
  seed?: string | number
}

interface Made {
  sandbox: Sandbox
  tokens: readonly LaunchToken[]
}

/** All sandboxes there are. */
export class Sandboxes {
  readonly default: Sandbox
  readonly #all = new Map<string, Made>()
  /** The rules of every scenario that was ever put to use: those that never fired are told at the end. */
  readonly #rules = new Map<string, { scenario: string; rules: Rule[] }>()
  #launchBase: Base
  #launched: { origin: Origin; tokens: readonly LaunchToken[] }
  readonly #names = new Ids(undefined, '')

  constructor(
    readonly launch: Launch,
    readonly emit: (event: SandboxEvent) => void,
  ) {
    this.#launchBase = baseOf(launch.fixture.rows)
    this.#launched = this.#compose(launch.fixture, this.#launchBase, launch.scenario)
    this.default = this.#fork('default')
  }

  get(name: string): Sandbox | undefined {
    return this.#all.get(name)?.sandbox
  }

  list(): Sandbox[] {
    return Array.from(this.#all.values(), ({ sandbox }) => sandbox)
  }

  /** The sandbox a token names; one that does not exist yet is started by a token of the launch fixture, and by no other. */
  forToken({ secret, name }: Token): Sandbox | undefined {
    const existing = this.get(name)
    if (existing) return existing
    if (!NAME.test(name)) return undefined
    const known = this.#launched.origin.base.api_keys?.idsWhere('token_sha256', hashToken(secret)) ?? []
    return known.length > 0 ? this.#fork(name) : undefined
  }

  async create(name: string, recipe: Recipe): Promise<Sandbox> {
    this.#checkRoom(name)
    const { origin, tokens } = await this.#originOf(recipe)
    // A call with its token may have started it while the fixture was read.
    if (this.#all.has(name)) fail('conflict', { why: `The sandbox "${name}" was started by somebody else meanwhile` })
    return this.#add(name, origin, tokens)
  }

  /** Makes a sandbox anew of something else, under the name it has. */
  async recreate(name: string, recipe: Recipe): Promise<Sandbox> {
    const { origin, tokens } = await this.#originOf(recipe)
    const existing = this.#all.get(name)!
    existing.sandbox.origin = origin
    existing.sandbox.reset()
    this.#all.set(name, { sandbox: existing.sandbox, tokens })
    return existing.sandbox
  }

  drop(name: string) {
    this.get(name)?.drop()
    this.#all.delete(name)
  }

  /** A name nobody has; it need not be repeatable, as a test that wants that gives its own. */
  freeName(): string {
    return this.#names
      .id('sandbox', name => this.#all.has(name))
      .toLowerCase()
      .slice(0, 24)
  }

  /** Tokens of its fixture that still work in the sandbox: others cannot be told from their hashes. */
  tokensOf({ name, tables }: Sandbox): readonly LaunchToken[] {
    const tokens = this.#all.get(name)?.tokens ?? []
    return tokens.filter(({ token }) => tables.of('api_keys').where('token_sha256', hashToken(token)).length > 0)
  }

  /** A token that acts in the sandbox, an admin's if there is one. */
  tokenFor(sandbox: Sandbox): string | null {
    const tokens = this.tokensOf(sandbox)
    const best = tokens.find(({ admin }) => admin) ?? tokens[0]
    if (!best) return null
    return joinToken({ secret: best.token, name: sandbox.name })
  }

  /** Takes up a fixture or scenario that was changed. Sandboxes made of the old one return to the new one at their next reset. */
  relaunch(changed: { fixture?: Fixture; scenario?: Scenario }) {
    const { launch } = this
    const before = this.#launched.origin
    if (changed.fixture) {
      launch.fixture = changed.fixture
      this.#launchBase = baseOf(changed.fixture.rows)
    }
    if (changed.scenario) {
      if (launch.scenario) this.#rules.delete(rulesKey(launch.scenario))
      launch.scenario = changed.scenario
    }
    this.#launched = this.#compose(launch.fixture, this.#launchBase, launch.scenario)
    const heirs = [...this.#all.values()].filter(({ sandbox }) => sandbox.origin === before)
    for (const heir of heirs) {
      heir.sandbox.origin = this.#launched.origin
      heir.tokens = this.#launched.tokens
      if (changed.scenario) this.useScenario(heir.sandbox, changed.scenario)
    }
    if (changed.fixture) this.default.reset()
  }

  /** Rules of scenarios in use that never fired, in no sandbox. */
  unusedRules(): { scenario: string; rule: string }[] {
    return [...this.#rules.values()].flatMap(({ scenario, rules }) =>
      rules.filter(rule => !rule.everFired).map(rule => ({ scenario, rule: rule.name })),
    )
  }

  /** A scenario with the rules it had when it was in use before, so that each is known by whether it ever fired. */
  #known(scenario: Scenario): Scenario {
    const key = rulesKey(scenario)
    const before = this.#rules.get(key)
    if (before) return { ...scenario, rules: before.rules }
    this.#rules.set(key, { scenario: scenario.name, rules: scenario.rules })
    return scenario
  }

  /** Puts a scenario to use in a sandbox that is at work: its rules and guesses, its clock, and its state over the present one. */
  useScenario(sandbox: Sandbox, scenario: Scenario) {
    const { flags } = this.launch
    const clock = flags.clock ? undefined : scenario.clock
    const state = stateOf(scenario, sandbox.tables.rows(), clock?.now ?? sandbox.clock.now())
    if (state) {
      sandbox.replace({ kind: 'scenario', id: scenario.name }, new Tables(baseOf(state.rows)))
      const made = this.#all.get(sandbox.name)
      const given = new Set(state.tokens.map(({ token }) => token))
      if (made) made.tokens = [...made.tokens.filter(({ token }) => !given.has(token)), ...state.tokens]
    }
    // The clock of the scenario before goes with it; one that was set by hand stays.
    const clockWasSet = sandbox.rules?.report().clock !== undefined
    sandbox.assumed = { ...scenario.assumed, ...flags.assumed }
    const seed = flags.seed ?? scenario.seed ?? sandbox.origin.seed
    sandbox.rules = new RuleSet(this.#known(scenario), seed)
    sandbox.reseed(seed)
    if (clock) sandbox.clock.set(clock.now, clock.frozen)
    else if (clockWasSet && !flags.clock) sandbox.clock.resume()
  }

  /** Takes rules and guesses away and lets time be real again; the state stays. */
  endScenario(sandbox: Sandbox) {
    const { assumed, clock } = this.launch.flags
    sandbox.assumed = assumed
    sandbox.rules = undefined
    if (clock) sandbox.clock.set(clock.now, clock.frozen)
    else sandbox.clock.resume()
  }

  /** A scenario by its name on the shelf, by its text, or as it is; checked against a state. */
  async readScenario(given: string | Json, rows: Rows): Promise<Scenario> {
    const { scenarios, fixtures } = this.launch
    return readScenario(await documentOf('scenario', given, scenarios), { rows, fixtures, now: this.#now })
  }

  #fork(name: string): Sandbox {
    this.#checkRoom(name)
    return this.#add(name, this.#launched.origin, this.#launched.tokens)
  }

  /** A fixture, a scenario over it, and the flags over both. */
  #compose(fixture: Fixture, base: Base, scenario: Scenario | undefined, own?: string) {
    const { flags } = this.launch
    const seed = own ?? flags.seed ?? scenario?.seed
    const clock = flags.clock ?? scenario?.clock
    const origin: Origin = { base, assumed: { ...scenario?.assumed, ...flags.assumed }, seed, clock }
    if (!scenario) return { origin, tokens: fixture.tokens }
    const known = this.#known(scenario)
    origin.rules = () => new RuleSet(known, seed)
    const state = stateOf(scenario, fixture.rows, clock?.now ?? this.launch.startedAt)
    if (!state) return { origin, tokens: fixture.tokens }
    const tokens = tokensAfter(scenario.fixture ? [] : fixture.tokens, state)
    return { origin: { ...origin, base: baseOf(state.rows) }, tokens }
  }

  #add(name: string, origin: Origin, tokens: readonly LaunchToken[]): Sandbox {
    const sandbox = new Sandbox(name, origin, this.emit)
    this.#all.set(name, { sandbox, tokens })
    return sandbox
  }

  get #now() {
    return this.launch.flags.clock?.now ?? this.launch.startedAt
  }

  #checkRoom(name: string) {
    const { maxSandboxes } = this.launch
    if (this.#all.size >= maxSandboxes && name !== 'default')
      fail('too_many_sandboxes', { sandbox: name, most: maxSandboxes })
  }

  async #originOf({ fixture, scenario, seed }: Recipe): Promise<{ origin: Origin; tokens: readonly LaunchToken[] }> {
    const { launch } = this
    if (fixture === undefined && scenario === undefined && seed === undefined) return this.#launched
    const chosen = fixture === undefined ? launch.fixture : await this.#fixture(fixture)
    const base = fixture === undefined ? this.#launchBase : baseOf(chosen.rows)
    const act = scenario === undefined ? launch.scenario : await this.readScenario(scenario, chosen.rows)
    return this.#compose(chosen, base, act, seed === undefined ? undefined : String(seed))
  }

  async #fixture(given: string | Json): Promise<Fixture> {
    return readFixture(await documentOf('fixture', given, this.launch.fixtures), this.#now)
  }
}

const rulesKey = ({ name, file }: Scenario) => JSON.stringify([name, file.rules])

/** By name from the launch folders, as YAML text, or as it is; never by path. */
async function documentOf(what: string, given: string | Json, shelf: NamedFiles): Promise<SourceDocument> {
  if (typeof given === 'string') return readDocument(shelf.get(what, given))
  if (typeof given.yaml === 'string') return parseDocument(given.yaml, what, 'yaml')
  return inlineDocument(given, what)
}
