import * as z from 'zod'
import { listed } from '../../basics/problem.ts'
import { runYielding } from '../../basics/slices.ts'
import { fail } from '../../contract/errors.ts'
import { checkFixtureInSteps, exportOf } from '../../fixtures/index.ts'
import { baseOf, Tables } from '../../state/index.ts'
import { type ControlRoute, checkName, created, destroys, done, ok, reads, route } from '../route.ts'

export const stateRoutes: ControlRoute[] = [
  {
    method: 'post',
    path: '/reset',
    summary: 'Back to what the sandbox was created with',
    answers: [204],
    tools: [
      destroys(
        'reset',
        'Use it to start over: the state, the journal, the clock and the scenario are as they were at first.',
        'The sandbox is as it was created.',
      ),
    ],
    async run({ sandbox }) {
      await sandbox.resetYielding()
      return done
    },
  },
  {
    method: 'get',
    path: '/state',
    summary: 'The state, in the format of a fixture',
    answers: [200],
    tools: [
      reads(
        'get_state',
        'Use it to see all records at once, or to keep them as a fixture.',
        'All records, in the format of a fixture.',
      ),
    ],
    run: ({ sandbox }) => ok(exportOf(sandbox.tables.rows())),
  },
  route({
    method: 'put',
    path: '/state',
    summary: 'Replace the state by a fixture',
    body: z.record(z.string(), z.unknown()),
    answers: [204],
    tools: [
      destroys('set_state', 'Use it to begin with exactly the records that a test needs.', 'The state is replaced.', {
        body: 'state',
      }),
    ],
    async run({ sandbox, body }) {
      const dangling = sandbox.assumed.unknown_reference === 'accept'
      const { lifetime } = sandbox
      const fixture = await runYielding(checkFixtureInSteps(body, { now: sandbox.clock.now(), dangling }))
      if (Array.isArray(fixture)) {
        const why = listed(fixture, ({ message }) => message)
        fail('bad_request', { why: `The state is not valid, and nothing was changed: ${why}` })
      }
      const tables = new Tables(baseOf(fixture.rows))
      const text = await sandbox.logTextOf(tables)
      sandbox.replace({ kind: 'state' }, tables, { lifetime, tokens: fixture.tokens, text })
      return done
    },
  }),
  {
    method: 'get',
    path: '/snapshots',
    summary: 'The named snapshots',
    answers: [200],
    tools: [reads('list_snapshots', 'Use it to see which states can be restored.', '{snapshots snapshot}.')],
    run: ({ sandbox }) => ok({ snapshots: sandbox.snapshots.list() }),
  },
  {
    method: 'put',
    path: '/snapshots/{name}',
    summary: 'Keep the state as it is now under a name',
    answers: [201],
    tools: [destroys('save_snapshot', 'Use it before something that you will want to undo.', 'Kept as {name}.')],
    run: async ({ sandbox, params }) =>
      created(await sandbox.snapshots.save(checkName('the snapshot name', params.name!))),
  },
  {
    method: 'delete',
    path: '/snapshots/{name}',
    summary: 'Forget a snapshot',
    answers: [204],
    tools: [destroys('delete_snapshot', 'Use it when a snapshot is no longer needed.', 'It is forgotten.')],
    async run({ sandbox, params }) {
      await sandbox.snapshots.remove(checkName('the snapshot name', params.name!))
      return done
    },
  },
  {
    method: 'post',
    path: '/snapshots/{name}/restore',
    summary: 'Make a snapshot the state',
    answers: [204],
    tools: [
      destroys(
        'restore_snapshot',
        'Use it to return to a state that was kept.',
        'The state is what the snapshot kept.',
      ),
    ],
    async run({ sandbox, params }) {
      await sandbox.snapshots.restore(checkName('the snapshot name', params.name!))
      return done
    },
  },
]
