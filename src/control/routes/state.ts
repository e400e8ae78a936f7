import * as z from 'zod'
import { listed } from '../../basics/problem.ts'
import { runYielding, type Steps } from '../../basics/slices.ts'
import { STATE } from '../../contract/lengths.ts'
import { checkFixtureInSteps, exportOf } from '../../fixtures/index.ts'
import { tableNames } from '../../resources/index.ts'
import { baseInSteps, diffRowsInSteps, type Op, Tables } from '../../state/index.ts'
import { readFilters } from '../journal/log-kind.ts'
import { checkName, del, destroys, get, post, put, type Route, reads, reject } from '../route.ts'

export const stateRoutes: Route[] = [
  post('/reset', 'Back to what the sandbox was created with', {
    statuses: [204],
    tool: destroys(
      'reset',
      'Use it to start over: the state, the journal, the clock and the scenario are as they were at first.',
      'The sandbox is as it was created.',
    ),
    run: ({ sandbox }) => sandbox.resetYielding(),
  }),
  get('/state', 'The state, in the format of a fixture', {
    tool: reads(
      'get_state',
      'Use it to see all records at once, or to keep them as a fixture.',
      'All records, in the format of a fixture.',
    ),
    run: ({ sandbox }) => exportOf(sandbox.tables.rows()),
  }),
  put('/state', 'Replace the state by a fixture', {
    body: z.record(z.string(), z.unknown()),
    lengths: STATE,
    statuses: [204],
    tool: destroys(
      'set_state',
      'Use it to begin with exactly the records that a test needs.',
      'The state is replaced.',
      { body: 'state' },
    ),
    async run({ sandbox, body }) {
      const { lifetime } = sandbox
      const reading = {
        now: sandbox.clock.now(),
        vendor: sandbox.origin.vendor,
        dangling: sandbox.assumed.unknown_reference === 'accept',
      }
      const fixture = await runYielding(checkFixtureInSteps(body, reading))
      if (Array.isArray(fixture)) {
        const why = listed(fixture, ({ message }) => message)
        reject(`The state is not valid, and nothing was changed: ${why}`)
      }
      const tables = new Tables(await runYielding(baseInSteps(fixture.rows)))
      const text = await sandbox.logTextOf(tables)
      sandbox.replace({ kind: 'state' }, tables, { lifetime, tokens: fixture.tokens, text })
    },
  }),
  get('/snapshots', 'The named snapshots', {
    tool: reads('list_snapshots', 'Use it to see which states can be restored.', '{snapshots snapshot}.'),
    run: ({ sandbox }) => ({ snapshots: sandbox.snapshots.list() }),
  }),
  get('/snapshots/{name}/diff', 'What differs from that snapshot to another, or to the state as it is now', {
    query: { with: 'the name of the other snapshot (the state as it is now)', limit: 'how many records (100)' },
    tool: reads(
      'compare_snapshot',
      'Use it to see what your code changed since a snapshot, or between two.',
      '{total record}: added, changed or removed since {from}.',
      { brief: { ops: ['table', 'id', 'before', 'after'] } },
    ),
    async run({ sandbox, params, query }) {
      const { with: other, limit = 100 } = readFilters(query, ['with', 'limit'])
      const from = await sandbox.snapshots.get(checkName('the snapshot name', params.name!))
      const to = other === undefined ? sandbox.tables : await sandbox.snapshots.get(checkName('"with"', other))
      const ops = await runYielding(differencesIn(from, to))
      const added = ops.filter(({ before }) => before === null).length
      const removed = ops.filter(({ after }) => after === null).length
      const counts = { total: ops.length, added, changed: ops.length - added - removed, removed }
      return { from: params.name, to: other ?? null, ...counts, ops: ops.slice(0, Number(limit)) }
    },
  }),
  put('/snapshots/{name}', 'Keep the state as it is now under a name', {
    statuses: [201],
    tool: destroys('save_snapshot', 'Use it before something that you will want to undo.', 'Kept as {name}.'),
    run: ({ sandbox, params }) => sandbox.snapshots.save(checkName('the snapshot name', params.name!)),
  }),
  del('/snapshots/{name}', 'Forget a snapshot', {
    statuses: [204],
    tool: destroys('delete_snapshot', 'Use it when a snapshot is no longer needed.', 'It is forgotten.'),
    run: ({ sandbox, params }) => sandbox.snapshots.remove(checkName('the snapshot name', params.name!)),
  }),
  post('/snapshots/{name}/restore', 'Make a snapshot the state', {
    statuses: [204],
    tool: destroys(
      'restore_snapshot',
      'Use it to return to a state that was kept.',
      'The state is what the snapshot kept.',
    ),
    run: ({ sandbox, params }) => sandbox.snapshots.restore(checkName('the snapshot name', params.name!)),
  }),
]

/** The ops that lead from one state to the other. */
function* differencesIn(from: Tables, to: Tables): Steps<Op[]> {
  const ops: Op[] = []
  for (const name of tableNames)
    for (const op of yield* diffRowsInSteps(name, from.of(name).oldestFirst(), [...to.of(name).oldestFirst()]))
      ops.push(op)
  return ops
}
