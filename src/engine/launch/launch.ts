import { hash } from 'node:crypto'
import { setImmediate as pause } from 'node:timers/promises'
import type { Api } from '../api.ts'
import { inlineDocument, parseDocument, readDocument, type SourceDocument } from '../files/document.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { OWN } from '../files/package.ts'
import { type Fixture, type Reading, type Rows, readExpanded, readFixture } from '../fixtures/index.ts'
import type { Assumed } from '../question.ts'
import { Clock, type Origin, type Sandbox } from '../sandbox/index.ts'
import { applyState, stateAfter } from '../scenarios/apply-state.ts'
import type { Rule } from '../scenarios/rule.ts'
import { RuleSet } from '../scenarios/rule-set.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type Base, baseOf } from '../state/index.ts'

type Json = Record<string, unknown>

/** Values from options, which override a scenario. */
export interface Flags {
  assumed: Assumed
  seed?: string
  clock?: { now: number; frozen: boolean }
}

export interface LaunchSettings {
  api: Api
  /** A file, a name in a directory of fixtures or scenarios, or the content itself. */
  fixture: string | Json
  scenario?: string | Json
  /** The directories in which names are looked up. */
  fixtures: NamedFiles
  scenarios: NamedFiles
  flags: Flags
  vendor: string
  /** In milliseconds: `created_at` of records without one. */
  now: number
  /** Whether the hash of the fixture is needed, which takes a while for a large one. */
  fingerprint: boolean
}

/** The settings of a sandbox that differ from the launch. */
export interface Recipe {
  fixture?: string | Json
  scenario?: string | Json
  seed?: string | number
}

/** The start settings of the simulator: a fixture, a scenario, and options that override both. */
export class Launch {
  readonly settings: LaunchSettings
  /** The paths of the fixture and the scenario, if they are files. */
  readonly files: { fixture?: string; scenario?: string }
  /** The files that the fixture extends. */
  bases: string[] = []
  fixture!: Fixture
  /** The hash of the fixture's content, if `fingerprint` is set. */
  fixtureSha256 = ''
  scenario: Scenario | undefined
  /** The origin of sandboxes without a recipe. */
  origin!: Origin
  /** The base of the fixture, without the scenario's state. */
  #base!: Base
  /** The rules of every scenario used so far. Rules that never fired are reported at the end. */
  readonly #rules = new Map<string, { scenario: string; rules: Rule[] }>()
  /** How many times rules fired, by fault type, `rate_limit` or `latency`. */
  readonly fired = new Map<string, number>()

  private constructor(settings: LaunchSettings) {
    const { fixture, scenario, fixtures, scenarios } = settings
    this.settings = settings
    this.files = { fixture: fileOf(fixture, fixtures), scenario: fileOf(scenario, scenarios) }
  }

  static async read(settings: LaunchSettings): Promise<Launch> {
    const launch = new Launch(settings)
    await launch.load('fixture', 'scenario')
    return launch
  }

  /** Reads the files. If one is invalid, throws and changes nothing. */
  async load(...what: ('fixture' | 'scenario')[]) {
    const { scenario: given } = this.settings
    const fixture = what.includes('fixture') ? await this.#readFixture() : this.fixture
    let { scenario } = this
    if (what.includes('scenario') && given !== undefined)
      scenario = await this.#readScenario(await documentAt('scenario', given, this.files.scenario), fixture.rows)
    const base = fixture === this.fixture ? this.#base : baseOf(this.settings.api.catalog, fixture.rows)
    const origin = this.#createOrigin(fixture, base, scenario)
    const oldKey = this.scenario && rulesKey(this.scenario)
    if (oldKey !== undefined && oldKey !== (scenario && rulesKey(scenario))) this.#rules.delete(oldKey)
    Object.assign(this, { fixture, scenario, origin })
    this.#base = base
  }

  async originOf({ fixture, scenario, seed }: Recipe): Promise<Origin> {
    if (fixture === undefined && scenario === undefined && seed === undefined) return this.origin
    const ownFixture = fixture === undefined ? this.fixture : await this.#readNamed(fixture)
    const base = fixture === undefined ? this.#base : baseOf(this.settings.api.catalog, ownFixture.rows)
    const ownScenario = scenario === undefined ? this.scenario : await this.scenarioNamed(scenario, ownFixture.rows)
    return this.#createOrigin(ownFixture, base, ownScenario, seed === undefined ? undefined : String(seed))
  }

  /** Reads a scenario from a request and validates it against a state. */
  async scenarioNamed(given: string | Json, rows: Rows, now?: number): Promise<Scenario> {
    return this.#readScenario(await documentNamed('scenario', given, this.settings.scenarios), rows, now)
  }

  /** Reads a scenario from a request, and applies it. */
  async useNamed(given: string | Json, sandbox: Sandbox) {
    const { tables } = sandbox
    const rows = tables.rows()
    const scenario = await this.scenarioNamed(given, rows, sandbox.clock.now())
    // A large state takes a while to check and to apply, so other requests run in between.
    if (scenario.merged) await nextTurn()
    this.use(scenario, sandbox, sandbox.tables === tables ? rows : undefined)
  }

  /** Applies a scenario to a running sandbox: its rules, assumptions and clock, and its state over the current one. */
  use(scenario: Scenario, sandbox: Sandbox, rows = sandbox.tables.rows()) {
    const { flags } = this.settings
    const now = (flags.clock ? undefined : scenario.clock?.now) ?? sandbox.clock.now()
    const state = applyState(scenario, sandbox.tables, rows, { ...this.#reading, now })
    if (state) sandbox.replace({ kind: 'scenario', id: scenario.name }, state.to, { tokens: state.tokens })
    const seed = sandbox.origin.fixedSeed ?? scenario.seed
    // Reset a clock that the previous scenario has set, but not one that a request has set.
    const setsClock = !flags.clock && (scenario.clock || sandbox.rules?.setsClock)
    sandbox.govern({
      assumed: { ...scenario.assumed, ...flags.assumed },
      rules: this.#rulesOf(this.#withKnownRules(scenario), seed),
      seed,
      clock: setsClock ? new Clock(scenario.clock) : undefined,
    })
  }

  #rulesOf(scenario: Scenario, seed: string | undefined): RuleSet {
    return new RuleSet(scenario, seed, kind => this.fired.set(kind, (this.fired.get(kind) ?? 0) + 1))
  }

  /** Changes assumptions of one sandbox. Null reverts a change. The next scenario or reset reverts all. */
  assume(sandbox: Sandbox, changes: Readonly<Record<string, string | null>>) {
    const base: Assumed = { ...sandbox.rules?.assumed, ...this.settings.flags.assumed }
    const assumed: Record<string, string | undefined> = { ...sandbox.assumed }
    for (const [name, value] of Object.entries(changes)) assumed[name] = value ?? base[name]
    sandbox.assume(assumed)
  }

  /** Removes the scenario's rules, assumptions, clock and seed. The state is unchanged. */
  end(sandbox: Sandbox) {
    const { assumed, clock } = this.settings.flags
    sandbox.govern({ assumed, rules: undefined, seed: sandbox.origin.fixedSeed, clock: new Clock(clock) })
  }

  /** The rules of every scenario used so far, with their counters, and whether they belong to the launch scenario. */
  usedRules(): { scenario: string; name: string; matched: number; fired: number; launched: boolean }[] {
    const launch = this.scenario && rulesKey(this.scenario)
    return [...this.#rules].flatMap(([key, { scenario, rules }]) =>
      rules.map(({ name, matched, fired }) => ({ scenario, name, matched, fired, launched: key === launch })),
    )
  }

  /** Fixtures and scenarios may contain dangling references to policies, if that is assumed. */
  get #reading(): Reading {
    const { api, flags, now, vendor } = this.settings
    return {
      catalog: api.catalog,
      now: flags.clock?.now ?? now,
      dangling: flags.assumed.unknown_reference === 'accept',
      vendor,
    }
  }

  async #readFixture(): Promise<Fixture> {
    const document = await documentAt('fixture', this.settings.fixture, this.files.fixture)
    const { fixture, value, bases } = await readExpanded(document, this.#readingOf(document))
    if (this.settings.fingerprint) this.fixtureSha256 = hash('sha256', JSON.stringify(value))
    this.bases = bases
    return fixture
  }

  async #readNamed(given: string | Json): Promise<Fixture> {
    const document = await documentNamed('fixture', given, this.settings.fixtures)
    return readFixture(document, this.#readingOf(document))
  }

  #readingOf({ file }: SourceDocument) {
    return { ...this.#reading, fixtures: this.settings.fixtures, trusted: file.startsWith(OWN) }
  }

  /** Loads the reader with the first scenario, to speed up startup. */
  async #readScenario(document: SourceDocument, rows: Rows, now = this.#reading.now): Promise<Scenario> {
    const { fixtures, flags } = this.settings
    const { readScenario } = await import('../scenarios/scenario.ts')
    const { api, vendor } = this.settings
    const clockIsFixed = flags.clock !== undefined
    return readScenario(document, { api, rows, fixtures, now, clockIsFixed, vendor, assumed: flags.assumed })
  }

  #createOrigin(fixture: Fixture, base: Base, scenario?: Scenario, ownSeed?: string): Origin {
    const { api, flags, now, vendor } = this.settings
    const fixedSeed = ownSeed ?? flags.seed
    const seed = fixedSeed ?? scenario?.seed
    const clock = flags.clock ?? scenario?.clock
    const assumed = { ...scenario?.assumed, ...flags.assumed }
    const origin: Origin = { api, base, tokens: fixture.tokens, vendor, seed, fixedSeed, clock, assumed }
    if (!scenario) return origin
    const known = this.#withKnownRules(scenario)
    const rules = () => this.#rulesOf(known, seed)
    const options = { ...this.#reading, now: clock?.now ?? now }
    const state = stateAfter(scenario, fixture, options)
    if (!state) return { ...origin, rules }
    return {
      ...origin,
      rules,
      tokens: state.tokens,
      base: baseOf(this.settings.api.catalog, state.rows),
    }
  }

  /** The scenario with the rule objects of its previous use, so their counters continue, and without a whole state. */
  #withKnownRules({ merged: _merged, ...scenario }: Scenario): Scenario {
    const key = rulesKey(scenario)
    const before = this.#rules.get(key)
    if (before) return { ...scenario, rules: before.rules }
    this.#rules.set(key, { scenario: scenario.name, rules: scenario.rules })
    return scenario
  }
}

/** Resolves in the next turn of the event loop. The first pause ends in this one. */
async function nextTurn() {
  await pause()
  await pause()
}

const rulesKey = ({ name, file }: Scenario) => JSON.stringify([name, file.rules])

/** A path. Undefined for an object. */
const fileOf = (given: string | Json | undefined, files: NamedFiles) =>
  typeof given === 'string' ? (files.find(given) ?? given) : undefined

/** The launch fixture or scenario: any file, or an object. */
async function documentAt(what: string, given: string | Json, file: string | undefined): Promise<SourceDocument> {
  return file === undefined ? inlineDocument(given, what) : readDocument(file)
}

/** A fixture or scenario from a request: a name, YAML text or an object, but never a path. */
async function documentNamed(what: string, given: string | Json, files: NamedFiles): Promise<SourceDocument> {
  if (typeof given === 'string') return readDocument(files.get(what, given))
  if (typeof given.yaml === 'string') return parseDocument(given.yaml, what, 'yaml in a body')
  return inlineDocument(given, what)
}
