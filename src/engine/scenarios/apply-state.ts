import { suggest } from '../../basics/nearest.ts'
import { MAX_PROBLEMS } from '../../basics/problem.ts'
import type { LaunchToken } from '../../contract/info.ts'
import { fail } from '../error.ts'
import { errors } from '../errors.ts'
import type { FileProblem } from '../files/document.ts'
import { checkFixture, exportOf, type Fixture, mergeRecord, type Reading, type Rows } from '../fixtures/index.ts'
import type { Row } from '../language/index.ts'
import { baseOf, diffRows, type Op, Tables } from '../state/index.ts'
import type { ScenarioFile } from './schema.ts'

/** The parts of a scenario that change state. */
interface StateSource {
  file: ScenarioFile
  fixture?: Fixture
  merged?: Merged
}

/** The rows that a scenario's state was merged into, and the result. */
export interface Merged {
  rows: Rows
  state: Fixture
}

export interface AppliedState {
  /** A new state, or changes to the current one, where existing records keep their list position. */
  to: Tables | readonly Op[]
  tokens: readonly LaunchToken[]
}

/** Applies a scenario's state to the current state. Returns undefined if the scenario has no state. */
export function applyState(
  scenario: StateSource,
  current: Tables,
  currentRows: Rows,
  options: Reading,
): AppliedState | undefined {
  if (!scenario.file.state && !scenario.fixture) return undefined
  const { rows, tokens } = stateAfter(scenario, { rows: currentRows, tokens: [] }, options)!
  if (scenario.fixture) return { to: new Tables(baseOf(options.catalog, rows)), tokens }
  return {
    to: Object.entries(rows).flatMap(([table, list]) => diffRows(table, current.of(table).oldestFirst(), list)),
    tokens,
  }
}

/** The state after a scenario is applied. Undefined if it changes nothing. */
export function stateAfter(
  { file, fixture, merged: known }: StateSource,
  base: Pick<Fixture, 'rows' | 'tokens'>,
  options: Reading,
): Fixture | undefined {
  if (!file.state) return fixture
  const { rows, tokens } = fixture ?? base
  const merged = known?.rows === rows ? known.state : mergeState(rows, file, options)
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
export function mergeState(
  rows: Rows,
  { state = {}, assume }: ScenarioFile,
  options: Reading,
): Fixture | FileProblem[] {
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
  const checked = checkFixture(merged, {
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
