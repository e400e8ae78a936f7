import { listAssumptions } from '../assumptions.ts'
import { ApiError } from '../errors.ts'
import { checkFixture } from '../fixtures/index.ts'
import { baseOf, Tables } from '../sandbox/index.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { type ControlRoute, done, ok } from './route.ts'

/** What the control plane needs to know of the simulator around it. */
export interface World {
  sandboxes: Sandboxes
  version: string
  vendor: string
  startedAt: number
}

export function controlRoutes(world: World): ControlRoute[] {
  return [
    {
      method: 'get',
      path: '/health',
      summary: 'Whether it can serve',
      global: true,
      run: () =>
        ok({ status: 'ok', version: world.version, uptime_ms: Math.round(performance.now() - world.startedAt) }),
    },
    {
      method: 'post',
      path: '/reset',
      summary: 'Back to what the sandbox was created with',
      run({ sandbox }) {
        sandbox.reset()
        return done
      },
    },
    {
      method: 'get',
      path: '/state',
      summary: 'The state, in the format of a fixture',
      run: ({ sandbox }) => ok(sandbox.tables.rows()),
    },
    {
      method: 'put',
      path: '/state',
      summary: 'Replace the state by a fixture',
      takesBody: true,
      run({ sandbox, body }) {
        const dangling = sandbox.assumed.unknown_reference === 'accept'
        const fixture = checkFixture(body, { now: sandbox.clock.now(), dangling })
        if (Array.isArray(fixture)) {
          const why = fixture
            .slice(0, 10)
            .map(({ message }) => message)
            .join('; ')
          throw new ApiError('bad_request', { why: `The state does not fit: ${why}` })
        }
        sandbox.replace({ kind: 'state' }, new Tables(baseOf(fixture.rows)))
        return ok(sandbox.tables.rows())
      },
    },
    {
      method: 'get',
      path: '/assumptions',
      summary: 'What the API document leaves open, and what is assumed',
      run: ({ sandbox }) => ok({ assumptions: listAssumptions(sandbox.assumed) }),
    },
    {
      method: 'get',
      path: '/openapi.json',
      summary: 'OpenAPI of the simulated API',
      global: true,
      async run({ origin }) {
        const { openapi } = await import('../openapi.ts')
        return ok(openapi({ url: origin, version: world.version, vendor: world.vendor }))
      },
    },
    {
      method: 'get',
      path: '/requests',
      summary: 'The journal, newest first',
      run: ({ sandbox }) => ok({ requests: sandbox.journal.newestFirst().slice(0, 100) }),
    },
    {
      method: 'get',
      path: '/requests/{id}',
      summary: 'One request, its answer, and why',
      run({ sandbox, params }) {
        const entry = sandbox.journal.get(params.id!)
        if (!entry) throw new ApiError('not_found', { what: `request ${params.id} in the journal of ${sandbox.name}` })
        return ok(entry)
      },
    },
  ]
}
