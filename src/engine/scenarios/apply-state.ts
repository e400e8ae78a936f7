import { suggest } from '../../basics/nearest.ts'
import { MAX_PROBLEMS } from '../../basics/problem.ts'
import type { Steps } from '../../basics/slices.ts'
import type { LaunchToken } from '../../contract/info.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { FileProblem } from '../files/document.ts'
import { checkFixtureInSteps, exportOf, type Fixture, mergeRecord, type Reading, type Rows } from '../fixtures/index.ts'
import type { Row } from '../language/index.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { baseOf, diffRowsInSteps, type Op, stateText, Tables } from '../state/index.ts'
import type { ScenarioFile } from './schema.ts'

/** The parts of a scenario that change state. */
interface StateSource {
  file: ScenarioFile
  fixture?: Fixture
}

export interface AppliedState {
  tables: Tables
  tokens: readonly LaunchToken[]
  /** The lines for the change log, if there is one. */
  text?: readonly Uint8Array[]
}

/** Applies a scenario's state to the current state. Returns undefined if the scenario has no state. */
export function* applyState(
  scenario: StateSource,
  { tables: current, log }: Pick<Sandbox, 'tables' | 'log'>,
  options: Reading,
): Steps<AppliedState | undefined> {
  if (!scenario.file.state && !scenario.fixture) return undefined
  const { rows, tokens } = (yield* stateAfter(scenario, { rows: current.rows(), tokens: [] }, options))!
  if (!scenario.fixture) return { tables: yield* withRows(current, rows), tokens }
  const tables = new Tables(baseOf(options.catalog, rows))
  return { tables, tokens, text: log && (yield* stateText(tables)) }
}

/** The current state with other rows. Existing records keep their list position. */
function* withRows(current: Tables, rows: Rows): Steps<Tables> {
  const ops: Op[] = []
  for (const [table, list] of Object.entries(rows))
    for (const op of yield* diffRowsInSteps(table, current.of(table).oldestFirst(), list)) ops.push(op)
  return current.after(ops)
}

/** The state after a scenario is applied. Undefined if it changes nothing. */
export function* stateAfter(
  { file, fixture }: StateSource,
  base: Pick<Fixture, 'rows' | 'tokens'>,
  options: Reading,
): Steps<Fixture | undefined> {
  if (!file.state) return fixture
  const { rows, tokens } = fixture ?? base
  const merged = yield* mergeState(rows, file, options)
  if (Array.isArray(merged))
    fail(errors.bad_request, {
      why: `Cannot apply the scenario's state: ${merged.map(({ message }) => message).join('; ')}`,
    })
  // Keep clear-text tokens only of keys that still have them.
  const { keys: declared } = options.catalog
  if (!declared) return merged
  const keys = new Set(merged.rows[declared.table]!.map(({ id }) => id))
  for (const { key_id } of merged.tokens) keys.delete(key_id)
  const remaining = tokens.filter(({ key_id }) => keys.has(key_id))
  return { ...merged, tokens: [...remaining, ...merged.tokens] }
}

/** Merges a scenario's state into rows: it overwrites fields of existing ids and adds new ids. */
export function* mergeState(
  rows: Rows,
  { state = {}, assume }: ScenarioFile,
  options: Reading,
): Steps<Fixture | FileProblem[]> {
  const { catalog } = options
  const { fixtureTables } = catalog
  const malformed: FileProblem[] = []
  for (const [table, records] of Object.entries(state)) {
    malformed.push(...tableProblems(fixtureTables, table, records))
    if (malformed.length >= MAX_PROBLEMS) break
  }
  if (malformed.length > 0) return malformed
  const current = exportOf(catalog, rows)
  const merged: Record<string, unknown[]> = current.missing ? { missing: current.missing } : {}
  /** By table: the position of a record in the merged list, and its index in the scenario. */
  const positions: Record<string, Map<number, number>> = {}
  const problems: FileProblem[] = []
  for (const table of fixtureTables) {
    const list: Record<string, unknown>[] = current[table] ?? []
    const places = new Map(list.map((row, i) => [row.id, i]))
    yield
    positions[table] = new Map()
    for (const [i, record] of ((state[table] ?? []) as Row[]).entries()) {
      const place = places.get(record?.id) ?? list.length
      const before = positions[table].get(place)
      if (before !== undefined) {
        const message = `state.${table}[${i}]: duplicate id ${record.id}, first used in state.${table}[${before}]`
        if (problems.push({ path: ['state', table, i, 'id'], message }) === MAX_PROBLEMS) return problems
      }
      list[place] = isRecord(record) ? mergeRecord(list[place], record) : record
      if (isRecord(record)) places.set(record.id, place)
      positions[table].set(place, i)
    }
    merged[table] = list
  }
  if (problems.length > 0) return problems
  const assumed = assume?.unknown_reference
  const dangling = assumed === undefined ? options.dangling : assumed === 'accept'
  const parts = catalog.parts.map(({ table }) => [table, (rows[table] ?? []).map(({ id }) => id)] as const)
  const order = Object.fromEntries(parts)
  const checked = yield* checkFixtureInSteps(merged, {
    ...options,
    ensureKey: true,
    keepOrder: true,
    order,
    dangling,
    isNew: (table, i) => positions[table]!.has(i),
  })
  return Array.isArray(checked) ? checked.map(problem => inScenario(problem, positions)) : checked
}

const isRecord = (record: unknown) => typeof record === 'object' && record !== null

function tableProblems(fixtureTables: readonly string[], table: string, records: unknown): FileProblem[] {
  const path = ['state', table]
  if (fixtureTables.includes(table))
    return Array.isArray(records) ? [] : [{ path, message: `state.${table}: must be a list of records` }]
  return [{ path, message: `state: unknown table "${table}".${suggest(table, fixtureTables)}` }]
}

/** Reports a problem at its position in the scenario, not in the merged state. */
function inScenario({ path, message }: FileProblem, positions: Record<string, Map<number, number>>): FileProblem {
  const [table, place, ...rest] = path as [string, number, ...string[]]
  const index = positions[table]?.get(place)
  if (index === undefined) return { path: ['state', table], message: `state: ${message}` }
  const written = `state.${table}[${index}]`
  const moved = message.replace(/(\w+)\[(\d+)\]/g, (before, name, i) => {
    const own = positions[name]?.get(Number(i))
    return own === undefined ? before : `state.${name}[${own}]`
  })
  return { path: ['state', table, index, ...rest], message: moved.startsWith(written) ? moved : `${written}: ${moved}` }
}
