import { basename } from 'node:path'
import type { Assumed } from '../assumptions.ts'
import { fail } from '../errors.ts'
import { describeFlaw, type SourceDocument } from '../files/document.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { nearest } from '../files/nearest.ts'
import {
  checkFixture,
  type Fixture,
  type LaunchToken,
  type Problem,
  type Rows,
  readFixtureFile,
} from '../fixtures/index.ts'
import { tableNames } from '../resources/index.ts'
import type { Row } from '../schema/index.ts'
import { findFlaws, parseTime } from '../schema/index.ts'
import { makeRule, type Rule } from './rule.ts'
import { type ScenarioFile, scenarioSchema } from './schema.ts'

/** A scenario that was checked: what it preloads, and what it does to calls. */
export interface Scenario {
  name: string
  description: string
  file: ScenarioFile
  /** Taken instead of the state there is. */
  fixture?: Fixture
  clock?: { now: number; frozen: boolean }
  seed?: string
  assumed: Assumed
  rules: Rule[]
}

/** What a scenario is read against. */
export interface Ground {
  /** The state it is laid over. */
  rows: Rows
  /** Where a fixture of its own is looked up. */
  fixtures: NamedFiles
  now: number
}

/** A scenario out of a document; what is wrong with it is told by the document. */
export async function readScenario(document: SourceDocument, ground: Ground): Promise<Scenario> {
  const flaws = findFlaws(scenarioSchema, document.value)
  if (flaws.length > 0)
    return document.refuse(flaws.map(flaw => ({ path: flaw.path, message: describeFlaw(flaw, 'the scenario') })))
  const file = document.value as ScenarioFile
  const fixture = file.fixture === undefined ? undefined : await ownFixture(document, file.fixture, ground)
  const below = fixture?.rows ?? ground.rows
  const laid = file.state ? layOver(below, file.state, ground.now) : { rows: below }
  if (Array.isArray(laid))
    return document.refuse(laid.map(({ path, message }) => ({ path: ['state', ...path], message })))
  const problems = unknownOwners(file, laid.rows)
  if (problems.length > 0) return document.refuse(problems)
  return {
    name: file.name ?? basename(document.file).replace(/\.\w+$/, ''),
    description: file.description ?? '',
    file,
    fixture,
    clock: file.clock && { now: parseTime(file.clock.now)!, frozen: file.clock.frozen ?? false },
    seed: file.seed === undefined ? undefined : String(file.seed),
    assumed: (file.assume ?? {}) as Assumed,
    rules: (file.rules ?? []).map(makeRule),
  }
}

async function ownFixture(document: SourceDocument, name: string, { fixtures, now }: Ground): Promise<Fixture> {
  const path = fixtures.find(name)
  if (path) return readFixtureFile(path, now)
  const close = nearest(name, fixtures.names())
  const message = `there is no fixture "${name}"${close ? `; did you mean "${close}"?` : `. There are: ${fixtures.names().join(', ')}`}`
  return document.refuse([{ path: ['fixture'], message }])
}

/** The state a scenario makes of another, or undefined when it leaves it alone. */
export function stateOf({ file, fixture }: Scenario, rows: Rows, now: number): Fixture | undefined {
  if (!file.state) return fixture
  const laid = layOver(fixture?.rows ?? rows, file.state, now)
  if (Array.isArray(laid))
    fail('bad_request', { why: `The scenario's state does not fit: ${laid.map(({ message }) => message).join('; ')}` })
  return { ...laid, tokens: tokensAfter(fixture?.tokens ?? [], laid) }
}

/** A state laid over another: of a known id the given fields win, a new id is added. */
function layOver(rows: Rows, state: Record<string, unknown>, now: number): Fixture | Problem[] {
  const unknown = Object.keys(state).filter(table => !tableNames.includes(table))
  if (unknown.length > 0)
    return unknown.map(table => {
      const close = nearest(table, tableNames)
      return {
        path: [table],
        message: `there is no "${table}"${close ? `, did you mean "${close}"` : ''}? Known: ${tableNames.join(', ')}`,
      }
    })
  const merged: Record<string, unknown[]> = {}
  // Problems are told by their place in what was given, not in what it was merged into.
  const given: Record<string, Map<number, number>> = {}
  for (const table of tableNames) {
    const records = (state[table] ?? []) as Row[]
    if (!Array.isArray(records)) return [{ path: [table], message: `${table}: must be a list of records` }]
    const list: Record<string, unknown>[] = [...(rows[table] ?? [])]
    const places = new Map(list.map((row, i) => [row.id, i]))
    given[table] = new Map()
    for (const [i, record] of records.entries()) {
      const place = places.get(record?.id) ?? list.length
      list[place] =
        typeof record === 'object' && record !== null ? { ...withoutOldToken(list[place], record), ...record } : record
      given[table]!.set(place, i)
    }
    merged[table] = list
  }
  const checked = checkFixture(merged, { now, ensureKey: true })
  if (!Array.isArray(checked)) return checked
  return checked.map(({ path, message }) => {
    const place = given[path[0] as string]?.get(path[1] as number)
    return { path: place === undefined ? path.slice(0, 1) : [path[0]!, place, ...path.slice(2)], message }
  })
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

function unknownOwners(file: ScenarioFile, rows: Rows): Problem[] {
  const ids = [...(rows.users ?? []), ...(rows.bots ?? [])].map(({ id }) => id)
  return (file.rules ?? []).flatMap((rule, i) => {
    const owners = rule.when?.owner
    return [owners ?? []].flat().flatMap(owner => {
      if (ids.includes(owner)) return []
      const close = nearest(owner, ids)
      const message = `there is no user or bot ${owner}${close ? `; did you mean ${close}?` : ''}`
      return [{ path: ['rules', i, 'when', 'owner'], message }]
    })
  })
}
