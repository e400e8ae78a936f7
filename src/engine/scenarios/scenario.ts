import { basename } from 'node:path'
import { whyTooLong } from '../../basics/comparisons.ts'
import { isObject } from '../../basics/json.ts'
import { nearest, suggest, withHint } from '../../basics/nearest.ts'
import { describeProblem, formatPath, MAX_PROBLEMS, type Path, shorten } from '../../basics/problem.ts'
import { MAX_SCENARIO_RULES, MAX_WHEN_VALUES } from '../../contract/lengths.ts'
import type { Api } from '../api.ts'
import { expandAssumed } from '../assumptions.ts'
import type { FileProblem, SourceDocument } from '../files/document.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { checkKind, type Fixture, peopleIn, type Reading, type Rows, readFixtureFile } from '../fixtures/index.ts'
import { parseTime, type Row } from '../language/index.ts'
import type { Assumed } from '../question.ts'
import { type Merged, mergeState } from './apply-state.ts'
import { compileRule, type Rule } from './rule.ts'
import { findRollingExcess, type ScenarioFile, scenarioMembersOf, scenarioShapeOf } from './schema.ts'
import { unreachableRules } from './unreachable.ts'

/** A validated scenario. */
export interface Scenario {
  api: Api
  name: string
  description: string
  file: ScenarioFile
  /** Replaces the current state. */
  fixture?: Fixture
  /** The state that it leads to, so it is not merged twice. */
  merged?: Merged
  clock?: { now: number; frozen: boolean }
  seed?: string
  assumed: Assumed
  rules: Rule[]
}

/** The context for validating a scenario. */
export interface Baseline {
  api: Api
  /** The state it is applied to. */
  rows: Rows
  /** The fixtures that it can name. */
  fixtures: NamedFiles
  now: number
  /** Whether options set the clock, so the scenario's has no effect. */
  clockIsFixed?: boolean
  vendor?: string
  /** Assumptions from options, which override the scenario's. */
  assumed?: Assumed
}

/**
 * Reads a scenario. Reports problems with their line and column: those of the file together with those that depend on the
 * state.
 */
export async function readScenario(document: SourceDocument, baseline: Baseline): Promise<Scenario> {
  const { api } = baseline
  await checkKind(api.catalog, document, 'scenario')
  const { value } = document
  const tooLong = longLists(api, value)
  if (tooLong.length > 0) return document.fail(tooLong)
  const problems = findMistakes(api, value)
  const file = withExpanded(api, (problems.length === 0 ? value : readableParts(api, value)) as AsWritten)
  if (problems.length === 0 && !doesSomething(file)) return document.fail([{ path: [], message: DOES_NOTHING }])
  const clock = file.clock && { now: parseTime(file.clock.now)!, frozen: file.clock.frozen ?? false }
  const fixture = await ownFixture(file, baseline, problems)
  let merged: Merged | undefined
  // With an unknown fixture, the state cannot be checked.
  if (fixture || file.fixture === undefined) {
    const rows = fixture?.rows ?? baseline.rows
    const now = baseline.clockIsFixed ? baseline.now : (clock?.now ?? baseline.now)
    const state = file.state ? mergeState(rows, file, { ...readingOf(baseline), now }) : undefined
    if (Array.isArray(state)) problems.push(...state, ...unknownTargets(api, file, withRecords(rows, file.state!)))
    else problems.push(...unknownTargets(api, file, state?.rows ?? rows))
    if (state && !Array.isArray(state)) merged = { rows, state }
  }
  if (problems.length > 0) return document.fail(problems)
  const rules = (file.rules ?? []).map((rule, i) => compileRule(api, rule, i))
  const unreachable = unreachableRules(rules)
  if (unreachable.length > 0) return document.fail(unreachable)
  return {
    api,
    name: file.name ?? basename(document.file).replace(/\.\w+$/, ''),
    description: file.description ?? '',
    file,
    fixture,
    merged,
    clock,
    seed: file.seed === undefined ? undefined : String(file.seed),
    assumed: file.assume ?? {},
    rules,
  }
}

type AsWritten = Omit<ScenarioFile, 'assume'> & { assume?: Parameters<typeof expandAssumed>[1] }

const withExpanded = (api: Api, { assume, ...rest }: AsWritten): ScenarioFile =>
  assume === undefined ? rest : { ...rest, assume: expandAssumed(api, assume) as Record<string, string> }

/** The valid parts of a scenario with mistakes that name records. */
function readableParts(api: Api, value: unknown): object {
  if (!isObject(value)) return {}
  const { fixture, state, clock, assume } = scenarioMembersOf(api)
  const valid = Object.entries({ fixture, state, clock, assume }).filter(
    ([name, { shape }]) => value[name] !== undefined && !shape.find(value[name]),
  )
  const rules = (Array.isArray(value.rules) ? value.rules : []).map(rule => ({
    when: isObject(rule) && isObject(rule.when) ? rule.when : {},
  }))
  return { ...Object.fromEntries(valid.map(([name]) => [name, value[name]])), rules }
}

/** Finds mistakes in the file itself. */
function findMistakes(api: Api, value: unknown): FileProblem[] {
  const found = scenarioShapeOf(api).find(value)
  if (!found) return findRollingExcess((value as ScenarioFile).rules ?? [])
  return found.map(problem => ({ path: problem.path, message: describeProblem(problem, 'the scenario') }))
}

/** Checks list lengths first, because validating huge lists would take long. */
function longLists({ catalog, events }: Api, value: unknown): FileProblem[] {
  const rules = isObject(value) && Array.isArray(value.rules) ? value.rules : []
  if (rules.length > MAX_SCENARIO_RULES) return [tooLong(['rules'], MAX_SCENARIO_RULES, rules.length)]
  const given = (name: 'path' | 'delivery') =>
    rules.map(rule => JSON.stringify((isObject(rule) && isObject(rule.when) && rule.when[name]) || '')).join('')
  const why =
    whyTooLong(given('path'), catalog.operations.length, 'operation') ??
    whyTooLong(given('delivery'), events?.types.length ?? 0, 'event type')
  if (why) return [{ path: ['rules'], message: `rules: all paths or event types together are too long: ${why}` }]
  return rules
    .flatMap((rule, i) =>
      Object.entries(isObject(rule) && isObject(rule.when) ? rule.when : {}).flatMap(([name, list]) =>
        Array.isArray(list) && list.length > MAX_WHEN_VALUES
          ? [tooLong(['rules', i, 'when', name], MAX_WHEN_VALUES, list.length)]
          : [],
      ),
    )
    .slice(0, MAX_PROBLEMS)
}

const tooLong = (path: Path, max: number, length: number): FileProblem => ({
  path,
  message: `${formatPath(path)}: must be a list of up to ${max}, got ${length}`,
})

const DOES_NOTHING = 'the scenario has no effect. Add rules, state, a fixture, a clock, a seed or assumptions'

const doesSomething = ({ rules = [], state = {}, assume = {}, fixture, clock, seed }: ScenarioFile) =>
  [rules, Object.keys(state), Object.keys(assume)].some(({ length }) => length > 0) ||
  [fixture, clock, seed].some(setting => setting !== undefined)

/** Fixtures may contain dangling references to policies if that is assumed. */
const readingOf = ({ api: { catalog }, now, vendor, assumed }: Baseline): Reading => ({
  catalog,
  now,
  vendor,
  dangling: assumed?.unknown_reference === 'accept',
})

/** Reads the fixture that the scenario names. Adds a problem if there is none with this name. */
async function ownFixture({ fixture: name }: ScenarioFile, baseline: Baseline, problems: FileProblem[]) {
  if (name === undefined) return undefined
  const { fixtures } = baseline
  const path = fixtures.find(name)
  if (path) return readFixtureFile(path, { ...readingOf(baseline), fixtures })
  const message = `fixture: unknown fixture "${name}".${suggest(name, fixtures.names())}`
  problems.push({ path: ['fixture'], message })
  return undefined
}

/** The rows, and the ids of records that are not valid yet. */
const withRecords = (rows: Rows, state: Record<string, unknown>): Rows =>
  Object.fromEntries(
    Object.keys({ ...rows, ...state }).map(table => {
      const records = Array.isArray(state[table]) ? state[table] : []
      return [table, [...(rows[table] ?? []), ...records.filter(isObject)] as Row[]]
    }),
  )

function unknownTargets({ catalog, traffic }: Api, file: ScenarioFile, rows: Rows): FileProblem[] {
  const owners = unknownIds(file, 'owner', catalog.keys?.owner ?? 'owner', peopleIn(catalog, rows))
  if (!traffic) return owners
  const { condition, tables } = traffic
  const records = unknownIds(
    file,
    condition,
    condition,
    tables.flatMap(table => rows[table] ?? []),
  )
  return [...owners, ...records]
}

function unknownIds({ rules = [] }: ScenarioFile, field: string, what: string, rows: Row[]): FileProblem[] {
  const ids = new Set(rows.map(({ id }) => id))
  const problems: FileProblem[] = []
  for (const [i, { when }] of rules.entries())
    for (const id of [(when as Record<string, unknown> | undefined)?.[field] ?? []].flat()) {
      // Anything other than a string is another problem.
      if (typeof id !== 'string' || ids.has(id)) continue
      const message = withHint(`rules[${i}].when.${field}: unknown ${what} ${shorten(id, 80)}`, nearest(id, ids))
      if (problems.push({ path: ['rules', i, 'when', field], message }) === MAX_PROBLEMS) return problems
    }
  return problems
}
