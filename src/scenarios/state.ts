import { suggest } from '../basics/nearest.ts'
import type { Steps } from '../basics/slices.ts'
import { fail } from '../contract/errors.ts'
import type { FileProblem } from '../files/document.ts'
import { checkFixtureInSteps, exportOf, type Fixture, type LaunchToken, type Rows } from '../fixtures/index.ts'
import { fixtureTables, isPart, kinds } from '../resources/index.ts'
import type { Row } from '../schema/index.ts'
import type { ScenarioFile } from './schema.ts'

/** What a scenario says about state. */
interface Stated {
  file: ScenarioFile
  fixture?: Fixture
}

export interface Laying {
  now: number
  /** Policies that do not exist may be named, unless the scenario says otherwise. */
  dangling?: boolean
}

/** The state after a scenario is applied to another; undefined if it changes nothing. */
export function* stateOf({ file, fixture }: Stated, rows: Rows, how: Laying): Steps<Fixture | undefined> {
  if (!file.state) return fixture
  const laid = yield* layOver(fixture?.rows ?? rows, file, how)
  if (Array.isArray(laid))
    fail('bad_request', {
      why: `The state of the scenario is not valid here: ${laid.map(({ message }) => message).join('; ')}`,
    })
  return { ...laid, tokens: tokensAfter(fixture?.tokens ?? [], laid) }
}

/** A scenario's state laid over another: of a known id the given fields win, a new id is added. */
export function* layOver(
  rows: Rows,
  { state = {}, assume }: ScenarioFile,
  how: Laying,
): Steps<Fixture | FileProblem[]> {
  const unfit = Object.entries(state).flatMap(([table, records]) => misplaced(table, records))
  if (unfit.length > 0) return unfit
  const merged: Record<string, unknown[]> = {}
  const given: Record<string, Map<number, number>> = {}
  const problems: FileProblem[] = []
  const present = exportOf(rows)
  for (const table of fixtureTables) {
    const list: Record<string, unknown>[] = present[table]!
    const places = new Map(list.map((row, i) => [row.id, i]))
    yield
    given[table] = new Map()
    for (const [i, record] of ((state[table] ?? []) as Row[]).entries()) {
      const place = places.get(record?.id) ?? list.length
      const before = given[table].get(place)
      if (before !== undefined)
        problems.push({
          path: ['state', table, i, 'id'],
          message: `state.${table}[${i}]: ${record.id} is given twice; first in state.${table}[${before}]`,
        })
      list[place] = isRecord(record) ? { ...withoutOldToken(list[place], record), ...record } : record
      if (isRecord(record)) places.set(record.id, place)
      given[table].set(place, i)
    }
    merged[table] = list
  }
  if (problems.length > 0) return problems
  const own = assume?.unknown_reference
  const dangling = own === undefined ? how.dangling : own === 'accept'
  const parts = kinds.filter(isPart).map(({ table }) => [table, (rows[table] ?? []).map(({ id }) => id)] as const)
  const order = Object.fromEntries(parts)
  const checked = yield* checkFixtureInSteps(merged, {
    now: how.now,
    ensureKey: true,
    keepOrder: true,
    order,
    dangling,
  })
  return Array.isArray(checked) ? checked.map(problem => inTerms(problem, given)) : checked
}

const isRecord = (record: unknown) => typeof record === 'object' && record !== null

function misplaced(table: string, records: unknown): FileProblem[] {
  const path = ['state', table]
  if (fixtureTables.includes(table))
    return Array.isArray(records) ? [] : [{ path, message: `state.${table}: must be a list of records` }]
  return [{ path, message: `state: there is no table "${table}".${suggest(table, fixtureTables)}` }]
}

/** Reports a problem at its place in the scenario, not in the merged state. */
function inTerms({ path, message }: FileProblem, given: Record<string, Map<number, number>>): FileProblem {
  const [table, place, ...rest] = path as [string, number, ...string[]]
  const own = given[table]?.get(place)
  if (own === undefined) return { path: ['state', table], message: `state: ${message}` }
  const [merged, written] = [`${table}[${place}]`, `state.${table}[${own}]`]
  const said = message.startsWith(merged) ? message.replaceAll(merged, written) : `${written}: ${message}`
  return { path: ['state', table, own, ...rest], message: said }
}

function withoutOldToken(row: Record<string, unknown> | undefined, record: object): object {
  if (!row || !('token' in record)) return row ?? {}
  const { token_sha256: _old, ...rest } = row
  return rest
}

/** Tokens in clear of a fixture and of what was laid over it, as far as their keys are still there with them. */
export function tokensAfter(before: readonly LaunchToken[], laid: Fixture): LaunchToken[] {
  const fresh = new Map(laid.tokens.map(token => [token.key_id, token]))
  const ids = new Set(laid.rows.api_keys!.map(({ id }) => id))
  const kept = before.filter(({ key_id }) => ids.has(key_id) && !fresh.has(key_id))
  return [...kept, ...laid.tokens]
}
