import { listed } from '../../basics/problem.ts'
import { anyObject } from '../../basics/shape.ts'
import { STATE } from '../../contract/lengths.ts'
import type { SourceDocument } from '../../engine/files/document.ts'
import { checkFixture, expandFixture, exportOf } from '../../engine/fixtures/index.ts'
import { baseOf, diffRows, type Op, Tables } from '../../engine/state/index.ts'
import type { ControlContext } from '../context.ts'
import { readFilters } from '../journal/log-kind.ts'
import { checkName, del, get, post, put, type Route, reject } from '../route.ts'

export const stateRoutes = ({ sandboxes }: ControlContext): Route[] => [
  post('/reset', 'Reset the sandbox to its initial state', {
    statuses: [204],
    run: ({ sandbox }) => sandbox.reset(),
  }),
  get('/state', 'Get the state as a fixture', {
    run: ({ sandbox }) => exportOf(sandbox.tables.catalog, sandbox.tables.rows()),
  }),
  put('/state', 'Replace the state with a fixture', {
    body: anyObject,
    lengths: STATE,
    statuses: [204],
    async run({ sandbox, body }) {
      const { lifetime } = sandbox
      const { catalog } = sandbox.tables
      const reading = {
        catalog,
        now: sandbox.clock.now(),
        vendor: sandbox.origin.vendor,
        dangling: sandbox.assumed.unknown_reference === 'accept',
      }
      const document: SourceDocument = {
        file: 'body',
        value: body,
        fail: async problems =>
          reject(`The state is invalid, and nothing was changed: ${listed(problems, ({ message }) => message)}`),
      }
      const { value, fail } = await expandFixture(document, sandboxes.launch.settings.fixtures)
      const checked = checkFixture(value, { ...reading, expanded: true })
      const fixture = Array.isArray(checked) ? await fail(checked) : checked
      const tables = new Tables(baseOf(catalog, fixture.rows))
      sandbox.replace({ kind: 'state' }, tables, { lifetime, tokens: fixture.tokens })
    },
  }),
  get('/snapshots', 'List snapshots', {
    run: ({ sandbox }) => ({ snapshots: sandbox.snapshots.list() }),
  }),
  get('/snapshots/{name}/diff', 'Compare a snapshot with another, or with the current state', {
    query: { with: 'Other snapshot [default: the current state]', limit: 'Maximum number of records [default: 100]' },
    async run({ sandbox, params, query }) {
      const { with: other, limit = 100 } = readFilters(query, ['with', 'limit'])
      const from = await sandbox.snapshots.get(checkName('the snapshot name', params.name!))
      const to = other === undefined ? sandbox.tables : await sandbox.snapshots.get(checkName('"with"', other))
      const ops = differencesIn(from, to)
      const added = ops.filter(({ before }) => before === null).length
      const removed = ops.filter(({ after }) => after === null).length
      const counts = { total: ops.length, added, changed: ops.length - added - removed, removed }
      return { from: params.name, to: other ?? null, ...counts, ops: ops.slice(0, Number(limit)) }
    },
  }),
  put('/snapshots/{name}', 'Save the current state as a snapshot', {
    statuses: [201],
    run: ({ sandbox, params }) => sandbox.snapshots.save(checkName('the snapshot name', params.name!)),
  }),
  del('/snapshots/{name}', 'Delete a snapshot', {
    statuses: [204],
    run: ({ sandbox, params }) => sandbox.snapshots.remove(checkName('the snapshot name', params.name!)),
  }),
  post('/snapshots/{name}/restore', 'Restore a snapshot', {
    statuses: [204],
    run: ({ sandbox, params }) => sandbox.snapshots.restore(checkName('the snapshot name', params.name!)),
  }),
]

/** The ops that turn one state into the other. */
function differencesIn(from: Tables, to: Tables): Op[] {
  return from.catalog.tableNames.flatMap(name =>
    diffRows(name, from.of(name).oldestFirst(), [...to.of(name).oldestFirst()]),
  )
}
