import { exportOf } from '../../../../src/engine/fixtures/index.ts'
import { ngrok } from '../../../../src/ngrok/api.ts'
import { tableNames } from '../../../../src/ngrok/resources/index.ts'
import type { Simulator } from '../../../../src/simulator/simulator.ts'

/** Generated requests refer to records by place: `~~api_keys.3~~` is replaced with an id when the request is sent. */
export const mark = (what: string, place: number) => `~~${what}.${place}~~`
const MARK = /~~([a-z_]+)\.(\d+)~~/g
const WHOLE_STATE = '~~state.0~~'

export interface World {
  fill(text: string): string
  /** Fills strings at any depth. The mark of the state becomes the whole state. */
  fillAll(value: unknown): unknown
}

export function worldOf({ sandboxes }: Pick<Simulator, 'sandboxes'>, place: number): World {
  const all = sandboxes.list()
  const sandbox = all[place % all.length]!
  const { tables } = sandbox
  const idsOf = (table: string) => Array.from(tables.of(table).oldestFirst(), row => row.id)

  const choices: Record<string, () => string[]> = {
    sandbox: () => [sandbox.name],
    sandboxes: () => all.map(({ name }) => name),
    token: () => [sandboxes.tokenFor(sandbox) ?? 'sim_none'],
    edge_of_route: () => Array.from(tables.of('https_edge_routes').oldestFirst(), row => String(row.edge_id)),
    edges: () => ['tcp_edges', 'tls_edges', 'https_edges'].flatMap(idsOf),
    deleted: () => Object.values(tables.numbers()).flatMap(({ deleted }) => Object.keys(deleted)),
    requests: () => sandbox.journal.newestFirst().map(({ id }) => id),
    snapshots: () => sandbox.snapshots.list().map(({ name }) => name),
  }
  const fill = (text: string) =>
    text.replace(MARK, (_, what: string, place: string) => {
      // A mark may be mutated like any other string.
      const found = tableNames.includes(what) ? idsOf(what) : (choices[what]?.() ?? [])
      return found[Number(place) % found.length] ?? `${what}_none`
    })
  const fillOne = (value: unknown) =>
    value === WHOLE_STATE ? exportOf(ngrok.catalog, tables.rows()) : fill(String(value))
  const fillAll = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === 'string' ? fillOne(inner) : inner))
  return { fill, fillAll }
}
