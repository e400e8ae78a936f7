import { exportOf } from '../../../src/fixtures/index.ts'
import { tableNames } from '../../../src/resources/index.ts'
import type { Sandbox } from '../../../src/sandbox/index.ts'
import type { Simulator } from '../../../src/simulator/simulator.ts'

/**
 * Generated requests name records by their place, `~~api_keys.3~~`. The mark is replaced when the request is sent, when
 * the records are known. Marks survive JSON and percent-encoding.
 */
export const mark = (what: string, place: number) => `~~${what}.${place}~~`
const MARK = /~~([a-z_]+)\.(\d+)~~/g
const WHOLE_STATE = '~~state.0~~'

export interface World {
  sandbox: Sandbox
  fill(text: string): string
  /** Fills texts at any depth; a mark for the state becomes the whole state. */
  fillAll(value: unknown): unknown
}

export function worldOf({ sandboxes }: Pick<Simulator, 'sandboxes'>, place: number): World {
  const all = sandboxes.list()
  const sandbox = all[place % all.length]!
  const { tables } = sandbox
  const idsOf = (table: string) => Array.from(tables.of(table).oldestFirst(), row => row.id)

  function choicesFor(what: string): string[] {
    if (tableNames.includes(what)) return idsOf(what)
    if (what === 'sandbox') return [sandbox.name]
    if (what === 'sandboxes') return all.map(({ name }) => name)
    if (what === 'token') return [sandboxes.tokenFor(sandbox) ?? 'sim_none']
    if (what === 'edge_of_route')
      return Array.from(tables.of('https_edge_routes').oldestFirst(), row => String(row.edge_id))
    if (what === 'edges') return ['tcp_edges', 'tls_edges', 'https_edges'].flatMap(idsOf)
    if (what === 'deleted') return Object.values(tables.numbers()).flatMap(({ deleted }) => Object.keys(deleted))
    if (what === 'requests') return sandbox.journal.newestFirst().map(({ id }) => id)
    if (what === 'snapshots') return sandbox.snapshots.list().map(({ name }) => name)
    // A mark may have been mutated like any other text.
    return []
  }

  const fill = (text: string) =>
    text.includes('~~')
      ? text.replace(MARK, (_, what: string, place: string) => {
          const choices = choicesFor(what)
          return choices[Number(place) % choices.length] ?? `${what}_none`
        })
      : text

  function fillAll(value: unknown): unknown {
    if (value === WHOLE_STATE) return exportOf(tables.rows())
    if (typeof value === 'string') return fill(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(fillAll)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [fill(name), fillAll(inner)]))
  }
  return { sandbox, fill, fillAll }
}
