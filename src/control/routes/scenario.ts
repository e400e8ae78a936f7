import * as z from 'zod'
import { fail } from '../../errors.ts'
import type { ControlContext } from '../context.ts'
import { type ControlRoute, done, ok, route } from '../route.ts'

const none = { name: null, description: 'No scenario is in use.', rules: [] }

/** Scenarios: list, use, end. */
export const scenarioRoutes = ({ sandboxes: { launch } }: ControlContext): ControlRoute[] => [
  {
    method: 'get',
    path: '/scenarios',
    summary: 'The scenarios that can be used by name',
    global: true,
    answers: [200],
    async run() {
      const { settings, fixture } = launch
      const shelf = await Promise.all(
        settings.scenarios.names().map(async name => {
          try {
            const { description, rules } = await launch.scenarioNamed(name, fixture.rows)
            return { name, description, rules: rules.length }
          } catch (error) {
            return { name, error: (error as Error).message }
          }
        }),
      )
      return ok({ scenarios: shelf })
    },
  },
  {
    method: 'get',
    path: '/scenario',
    summary: 'The scenario in use, with how often each rule matched and fired',
    answers: [200],
    run: ({ sandbox }) => ok(sandbox.rules?.report() ?? none),
  },
  route({
    method: 'put',
    path: '/scenario',
    summary: 'Use a scenario: by name, as YAML text, or as it is',
    query: { dry_run: 'true only checks it' },
    body: z.record(z.string(), z.unknown()),
    answers: [200],
    async run({ sandbox, body, query }) {
      const members = Object.keys(body).length
      const dryRun = query.get('dry_run') ?? 'false'
      if (members === 0)
        fail('bad_request', { why: 'The body is empty. Send {"name": …}, {"yaml": "…"} or a scenario' })
      if (typeof body.yaml === 'string' && members > 1)
        fail('bad_request', { why: '"yaml" cannot be combined with other members: write them into the text' })
      if (!['true', 'false'].includes(dryRun))
        fail('bad_request', { why: `"dry_run" must be true or false, not ${JSON.stringify(dryRun.slice(0, 40))}` })
      const byName = members === 1 && typeof body.name === 'string'
      const scenario = await launch.scenarioNamed(byName ? (body.name as string) : body, sandbox.tables.rows())
      if (dryRun === 'true') return ok({ valid: true, name: scenario.name, rules: scenario.rules.length })
      await launch.use(scenario, sandbox)
      return ok(sandbox.rules!.report())
    },
  }),
  {
    method: 'delete',
    path: '/scenario',
    summary: 'Take rules and assumptions away and let time be real; the state stays',
    answers: [204],
    run({ sandbox }) {
      launch.end(sandbox)
      return done
    },
  },
]
