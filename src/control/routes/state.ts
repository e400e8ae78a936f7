import * as z from 'zod'
import { fail } from '../../errors.ts'
import { checkSteps, exportOf } from '../../fixtures/index.ts'
import { inSlices } from '../../slices.ts'
import { baseOf, Tables } from '../../state/index.ts'
import { listed } from '../../words/flaw.ts'
import { type ControlRoute, checkName, created, done, ok, route } from '../route.ts'

/** Reset, the whole state, and named snapshots of it. */
export const stateRoutes: ControlRoute[] = [
  {
    method: 'post',
    path: '/reset',
    summary: 'Back to what the sandbox was created with',
    answers: [204],
    async run({ sandbox }) {
      await sandbox.resetInSlices()
      return done
    },
  },
  {
    method: 'get',
    path: '/state',
    summary: 'The state, in the format of a fixture',
    answers: [200],
    run: ({ sandbox }) => ok(exportOf(sandbox.tables.rows())),
  },
  route({
    method: 'put',
    path: '/state',
    summary: 'Replace the state by a fixture',
    body: z.record(z.string(), z.unknown()),
    answers: [204],
    async run({ sandbox, body }) {
      const dangling = sandbox.assumed.unknown_reference === 'accept'
      const { life } = sandbox
      const fixture = await inSlices(checkSteps(body, { now: sandbox.clock.now(), dangling }))
      if (Array.isArray(fixture)) {
        const why = listed(fixture, ({ message }) => message)
        fail('bad_request', { why: `The state is not valid, and nothing was changed: ${why}` })
      }
      const tables = new Tables(baseOf(fixture.rows))
      const text = await sandbox.prepare(tables)
      sandbox.replace({ kind: 'state' }, tables, { life, tokens: fixture.tokens, text })
      return done
    },
  }),
  {
    method: 'get',
    path: '/snapshots',
    summary: 'The named snapshots',
    answers: [200],
    run: ({ sandbox }) => ok({ snapshots: sandbox.snapshots.list() }),
  },
  {
    method: 'put',
    path: '/snapshots/{name}',
    summary: 'Keep the state as it is now under a name',
    answers: [201],
    run: async ({ sandbox, params }) =>
      created(await sandbox.snapshots.save(checkName('the snapshot name', params.name!))),
  },
  {
    method: 'delete',
    path: '/snapshots/{name}',
    summary: 'Forget a snapshot',
    answers: [204],
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
    async run({ sandbox, params }) {
      await sandbox.snapshots.restore(checkName('the snapshot name', params.name!))
      return done
    },
  },
]
