import type { Steps } from '../basics/slices.ts'
import type { LaunchToken, Rows } from '../fixtures/index.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { baseOf, diffRowsInSteps, type Op, stateText, Tables } from '../state/index.ts'
import type { Scenario } from './scenario.ts'
import { type Laying, stateOf } from './state.ts'

export interface Laid {
  tables: Tables
  tokens: readonly LaunchToken[]
  /** What the log will write of it. */
  text?: readonly Uint8Array[]
}

/** The state of a scenario over the present one; undefined if it has none. */
export function* laidOver(
  scenario: Scenario,
  { tables: present, log }: Pick<Sandbox, 'tables' | 'log'>,
  how: Laying,
): Steps<Laid | undefined> {
  if (!scenario.file.state && !scenario.fixture) return undefined
  const { rows, tokens } = (yield* stateOf(scenario, present.rows(), how))!
  if (!scenario.fixture) return { tables: yield* withRows(present, rows), tokens }
  const tables = new Tables(baseOf(rows))
  return { tables, tokens, text: log && (yield* stateText(tables)) }
}

/** The present state as it is with the rows of another: what was there, or was deleted, keeps its place. */
function* withRows(present: Tables, rows: Rows): Steps<Tables> {
  const ops: Op[] = []
  for (const [table, list] of Object.entries(rows))
    for (const op of yield* diffRowsInSteps(table, present.of(table).oldestFirst(), list)) ops.push(op)
  const tables = present.copy()
  tables.apply(present.markRecreated(ops))
  return tables
}
