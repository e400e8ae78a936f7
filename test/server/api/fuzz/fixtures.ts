import fc from 'fast-check'
import { recordShapeOf } from '../../../../src/engine/fixtures/index.ts'
import { fixtureShape } from '../../../../src/engine/fixtures/schema.ts'
import { ngrok } from '../../../../src/ngrok/api.ts'
import { tableNames } from '../../../../src/ngrok/resources/index.ts'
import { fitting } from './schema.ts'
import { mix } from './values.ts'
import { mark } from './world.ts'

type Json = Record<string, unknown>

export const records = new Map(
  tableNames.map(table => [table, fitting(recordShapeOf(ngrok.catalog, table).json) as fc.Arbitrary<Json>]),
)

/** Removes duplicate ids and unknown references, for which nearly all fixtures would be rejected. */
function repaired({ $schema: _, ...fixture }: Json): unknown {
  const tops = Object.values(fixture as Record<string, Json[]>).flat()
  const known = new Set(tops.map(({ id }) => id))
  const seen = new Set<unknown>()
  const isNew = (value: unknown) => {
    const { id } = (value ?? {}) as Json
    return id === undefined || (!seen.has(id) && seen.add(id))
  }
  const repair = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value))
      return value.filter(each => (name.endsWith('_ids') ? known.has(each) : isNew(each))).map(each => repair(each))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).filter(([key, inner]) => !key.endsWith('_id') || known.has(inner))
    return Object.fromEntries(entries.map(([key, inner]) => [key, repair(inner, key)]))
  }
  return repair(fixture)
}

const PREFIXES: Json = { users: 'usr', bots: 'bot', ip_policies: 'ipp', backends: 'bkdsc' }
/** A fixture refers to its own ids, not to ids of the sandbox. */
const ownIds = (value: unknown) =>
  JSON.stringify(value).replace(
    /~~([a-z_]+)\.(\d+)~~/g,
    (_, table: string, place: string) => `${PREFIXES[table] ?? 'x'}_${'abcd'[Number(place) % 4]}`,
  )
export const generated = fitting(fixtureShape(ngrok.catalog).json).map(value => repaired(JSON.parse(ownIds(value))))
const presentState = fc.constant(mark('state', 0))
export const fixture = mix<unknown>([3, presentState], [2, generated])
