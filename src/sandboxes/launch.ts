import { createHash } from 'node:crypto'
import { runYielding } from '../basics/slices.ts'
import type { Assumed } from '../contract/assumptions.ts'
import { inlineDocument, parseDocument, readDocument, type SourceDocument } from '../files/document.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { type Fixture, type Rows, readFixture } from '../fixtures/index.ts'
import { Clock, type Origin, onStableState, type Sandbox } from '../sandbox/index.ts'
import { type AppliedState, applyState, stateAfter, tokensAfter } from '../scenarios/apply-state.ts'
import type { Rule } from '../scenarios/rule.ts'
import { RuleSet } from '../scenarios/rule-set.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Base, baseOf } from '../state/index.ts'

type Json = Record<string, unknown>

/** Values from flags; they override those of a scenario. */
export interface Flags {
  assumed: Assumed
  seed?: string
  clock?: { now: number; frozen: boolean }
}

export interface LaunchSettings {
  /** A file, a name on the shelf, or the thing itself. */
  fixture: string | Json
  scenario?: string | Json
  /** What can be asked for by name. */
  fixtures: NamedFiles
  scenarios: NamedFiles
  flags: Flags
  /** In milliseconds: the time of records that give none. */
  now: number
  /** Whether anybody will ask if the fixture has changed: to find out takes a while with a large one. */
  fingerprint: boolean
}

/** What a sandbox is created from, if it differs from the launch. */
export interface Recipe {
  fixture?: string | Json
  scenario?: string | Json
  seed?: string | number
}

/** What the simulator was started with: a fixture, a scenario over it, and flags over both. */
export class Launch {
  readonly settings: LaunchSettings
  /** The files behind the fixture and the scenario, where they are files. */
  readonly files: { fixture?: string; scenario?: string }
  fixture!: Fixture
  /** Of the content of the fixture, where that was asked for. */
  fixtureSha256 = ''
  scenario: Scenario | undefined
  /** Of sandboxes without a recipe of their own. */
  origin!: Origin
  #base!: Base
  /** The rules of every scenario that was in use; those that never fired are reported at the end. */
  readonly #rules = new Map<string, { scenario: string; rules: Rule[] }>()

  private constructor(settings: LaunchSettings) {
    const { fixture, scenario, fixtures, scenarios } = settings
    this.settings = settings
    this.files = { fixture: fileOf(fixture, fixtures), scenario: fileOf(scenario, scenarios) }
  }

  static async read(settings: LaunchSettings): Promise<Launch> {
    const launch = new Launch(settings)
    await launch.#load(['fixture', 'scenario'])
    return launch
  }

  /** Reads the file again; one that does not fit changes nothing. */
  async reread(what: 'fixture' | 'scenario') {
    await this.#load([what])
  }

  async originOf({ fixture, scenario, seed }: Recipe): Promise<Origin> {
    if (fixture === undefined && scenario === undefined && seed === undefined) return this.origin
    const chosen = fixture === undefined ? this.fixture : await this.#fixtureNamed(fixture)
    const base = fixture === undefined ? this.#base : baseOf(chosen.rows)
    const act = scenario === undefined ? this.scenario : await this.scenarioNamed(scenario, chosen.rows)
    return this.#make(chosen, base, act, seed === undefined ? undefined : String(seed))
  }

  async #fixtureNamed(given: string | Json): Promise<Fixture> {
    return readFixture(await documentNamed('fixture', given, this.settings.fixtures), this.#now, this.#dangling)
  }

  /** A scenario by its name on the shelf, by its text, or as it is; checked against a state. */
  async scenarioNamed(given: string | Json, rows: Rows): Promise<Scenario> {
    const document = await documentNamed('scenario', given, this.settings.scenarios)
    return this.#readAgainst(rows, document)
  }

  /** Puts a scenario to use in a running sandbox: its rules, assumptions and clock, and its state over the present one. */
  async use(scenario: Scenario, sandbox: Sandbox): Promise<void> {
    const now = (this.settings.flags.clock ? undefined : scenario.clock?.now) ?? sandbox.clock.now()
    const options = { now, dangling: this.#dangling }
    await onStableState(
      sandbox,
      () => applyState(scenario, sandbox, options),
      state => this.#putToUse(scenario, sandbox, state),
    )
  }

  #putToUse(scenario: Scenario, sandbox: Sandbox, state: AppliedState | undefined) {
    const { flags } = this.settings
    const { assumed, rules, ids, clock: oldClock } = sandbox
    const before = { assumed, rules, ids, clock: oldClock }
    const clock = flags.clock ? undefined : scenario.clock
    if (state) {
      const onUndone = () => Object.assign(sandbox, before)
      const { tables, tokens, text } = state
      sandbox.replace({ kind: 'scenario', id: scenario.name }, tables, { tokens, text, onUndone })
    }
    const seed = sandbox.origin.fixedSeed ?? scenario.seed
    sandbox.assumed = { ...scenario.assumed, ...flags.assumed }
    sandbox.rules = new RuleSet(this.#known(scenario), seed)
    sandbox.reseed(seed)
    // The clock of the scenario before goes with it; one that was set by hand stays.
    if (clock) sandbox.clock = new Clock(clock)
    else if (before.rules?.report().clock !== undefined && !flags.clock) sandbox.clock = new Clock()
  }

  /** Removes the scenario's rules, assumptions, clock and seed; the state stays. */
  end(sandbox: Sandbox) {
    const { assumed, clock } = this.settings.flags
    sandbox.assumed = assumed
    sandbox.rules = undefined
    sandbox.clock = new Clock(clock)
    sandbox.reseed(sandbox.origin.fixedSeed)
  }

  /** Rules of scenarios in use that never fired, in no sandbox, and whether they are of the launch scenario. */
  unusedRules(): { scenario: string; rule: string; launched: boolean }[] {
    const launch = this.scenario && rulesKey(this.scenario)
    return [...this.#rules].flatMap(([key, { scenario, rules }]) =>
      rules.filter(rule => !rule.everFired).map(({ name }) => ({ scenario, rule: name, launched: key === launch })),
    )
  }

  /** Policies that do not exist may be named, in fixtures and scenarios too. */
  get #dangling() {
    return this.settings.flags.assumed.unknown_reference === 'accept'
  }

  get #now() {
    return this.settings.flags.clock?.now ?? this.settings.now
  }

  async #load(what: ('fixture' | 'scenario')[]) {
    const fixture = what.includes('fixture') ? await this.#readFixture() : this.fixture
    const scenario = what.includes('scenario') ? await this.#readScenario(fixture.rows) : this.scenario
    const base = fixture === this.fixture ? this.#base : baseOf(fixture.rows)
    const origin = await this.#make(fixture, base, scenario)
    const old = this.scenario && rulesKey(this.scenario)
    if (old !== undefined && old !== (scenario && rulesKey(scenario))) this.#rules.delete(old)
    Object.assign(this, { fixture, scenario, origin })
    this.#base = base
  }

  async #readFixture(): Promise<Fixture> {
    const document = await documentAt('fixture', this.settings.fixture, this.files.fixture)
    const fixture = await readFixture(document, this.#now, this.#dangling)
    if (this.settings.fingerprint)
      this.fixtureSha256 = createHash('sha256').update(JSON.stringify(document.value)).digest('hex')
    return fixture
  }

  async #readScenario(rows: Rows): Promise<Scenario | undefined> {
    const { scenario } = this.settings
    if (scenario === undefined) return undefined
    return this.#readAgainst(rows, await documentAt('scenario', scenario, this.files.scenario))
  }

  /** How scenarios are written is loaded with the first of them. */
  async #readAgainst(rows: Rows, document: SourceDocument): Promise<Scenario> {
    const { fixtures, flags } = this.settings
    const { readScenario } = await import('../scenarios/scenario.ts')
    return readScenario(document, { rows, fixtures, now: this.#now, assumed: flags.assumed })
  }

  async #make(fixture: Fixture, base: Base, scenario: Scenario | undefined, own?: string): Promise<Origin> {
    const { flags, now } = this.settings
    const fixedSeed = own ?? flags.seed
    const seed = fixedSeed ?? scenario?.seed
    const clock = flags.clock ?? scenario?.clock
    const assumed = { ...scenario?.assumed, ...flags.assumed }
    const origin: Origin = { base, tokens: fixture.tokens, seed, fixedSeed, clock, assumed }
    if (!scenario) return origin
    const known = this.#known(scenario)
    const rules = () => new RuleSet(known, seed)
    const options = { now: clock?.now ?? now, dangling: this.#dangling }
    const state = await runYielding(stateAfter(scenario, fixture.rows, options))
    if (!state) return { ...origin, rules }
    const tokens = tokensAfter(scenario.fixture ? [] : fixture.tokens, state)
    return { ...origin, rules, tokens, base: baseOf(state.rows) }
  }

  /** The scenario, with the rules it had when it was in use before: a rule knows whether it ever fired. */
  #known(scenario: Scenario): Scenario {
    const key = rulesKey(scenario)
    const before = this.#rules.get(key)
    if (before) return { ...scenario, rules: before.rules }
    this.#rules.set(key, { scenario: scenario.name, rules: scenario.rules })
    return scenario
  }
}

const rulesKey = ({ name, file }: Scenario) => JSON.stringify([name, file.rules])

/** By name on the shelf, or by path. */
const fileOf = (given: string | Json | undefined, shelf: NamedFiles) =>
  typeof given === 'string' ? (shelf.find(given) ?? given) : undefined

/** The launch fixture or scenario: any file, or an object. */
async function documentAt(what: string, given: string | Json, file: string | undefined): Promise<SourceDocument> {
  return file === undefined ? inlineDocument(given, what) : readDocument(file)
}

/** A fixture or scenario from a request: a name, YAML text, or an object; never a path. */
async function documentNamed(what: string, given: string | Json, shelf: NamedFiles): Promise<SourceDocument> {
  if (typeof given === 'string') return readDocument(shelf.get(what, given))
  if (typeof given.yaml === 'string') return parseDocument(given.yaml, what, 'yaml')
  return inlineDocument(given, what)
}
