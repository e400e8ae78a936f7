import * as z from 'zod'
import type { ScenarioReport } from '../../contract/info.ts'
import { WITH_STATE } from '../../contract/lengths.ts'
import { MAX_YAML_BODY_KIB, toYamlText } from '../../files/yaml-text.ts'
import type { Rows } from '../../fixtures/index.ts'
import type { Launch } from '../../registry/launch.ts'
import type { ControlContext } from '../context.ts'
import { del, destroys, get, post, put, quoted, type Route, reads, reject } from '../route.ts'

const SCENARIO =
  '{"name": "outage"}, {"yaml": "…"}, or a scenario: {"rules": [{"when": {"operation": "create_api_key", "calls": 1}, "fault": {"type": "error", "status": 503}}]}; docs/scenarios.md has all of it'
const NO_SCENARIO: ScenarioReport = { name: null, description: 'No scenario is in use.', rules: [] }

export function scenarioRoutes({ sandboxes: { launch } }: ControlContext): Route[] {
  /** A file is read again if it, the launch fixture or any named fixture has changed. */
  const described = new Map<string, { stamp: string; rows: Rows; description: object }>()
  return [
    get('/scenarios', 'The scenarios that can be used by name', {
      global: true,
      tool: reads(
        'list_scenarios',
        'Use it to find a ready-made way to break the API.',
        '{scenarios scenario} can be used by name.',
      ),
      async run() {
        const { scenarios, fixtures } = launch.settings
        const { rows } = launch.fixture
        const fixtureStamps = fixtures.names().map(name => fixtures.stampOf(name))
        const descriptions: object[] = []
        // One after the other, so that other requests are served in between.
        for (const name of scenarios.names()) {
          const stamp = [scenarios.stampOf(name), ...fixtureStamps].join()
          let entry = described.get(name)
          if (entry?.stamp !== stamp || entry.rows !== rows)
            entry = { stamp, rows, description: await describe(launch, name, rows) }
          described.set(name, entry)
          descriptions.push(entry.description)
        }
        return { scenarios: descriptions }
      },
    }),
    get('/scenario', 'The scenario in use, with how often each rule matched and fired', {
      tool: reads(
        'get_scenario',
        'Use it to see whether the rules fired that your test is about.',
        'Scenario: {name}. Rules: {rules}.',
      ),
      run: ({ sandbox }) => sandbox.rules?.report() ?? NO_SCENARIO,
    }),
    put('/scenario', 'Use a scenario: by name, as YAML text, or as it is', {
      query: { dry_run: 'true only checks it' },
      body: z.record(z.string(), z.unknown()).meta({ description: SCENARIO }),
      lengths: WITH_STATE,
      tool: [
        destroys(
          'use_scenario',
          'Use it to break the API on purpose: errors, lost answers, latency, rate limits.',
          'The scenario {name} is in use, with {rules rule}. end_scenario takes it away.',
          { body: 'scenario', sets: { dry_run: 'false' } },
        ),
        reads(
          'check_scenario',
          'Use it to see whether a scenario that you wrote is valid, without using it.',
          'The scenario is valid: {rules rule}.',
          { summary: 'Check a scenario without using it', body: 'scenario', sets: { dry_run: 'true' } },
        ),
      ],
      async run({ sandbox, body, query }) {
        const members = Object.keys(body).length
        const dryRun = query.get('dry_run') ?? 'false'
        if (members === 0) reject('The body is empty. Send {"name": …}, {"yaml": "…"} or a scenario')
        if (typeof body.yaml === 'string' && members > 1)
          reject('"yaml" cannot be combined with other members: write them into the text')
        if (!['true', 'false'].includes(dryRun)) reject(`"dry_run" must be true or false, not ${quoted(dryRun)}`)
        const byName = members === 1 && typeof body.name === 'string'
        const scenario = await launch.scenarioNamed(byName ? (body.name as string) : body, sandbox.tables.rows())
        if (dryRun === 'true') return { valid: true, name: scenario.name, rules: scenario.rules.length }
        await launch.use(scenario, sandbox)
        return sandbox.rules!.report()
      },
    }),
    post('/scenario/yaml', 'A scenario as YAML text, to be edited or kept in a file. Nothing is checked or used', {
      global: true,
      body: z.record(z.string(), z.unknown()).meta({ description: 'A scenario as JSON' }),
      async run({ body }) {
        if (JSON.stringify(body).length > MAX_YAML_BODY_KIB * 1024)
          reject(`YAML is written up to ${MAX_YAML_BODY_KIB} KiB. Use JSON for more`)
        return { yaml: await toYamlText(body) }
      },
    }),
    del('/scenario', 'End the scenario: its rules and assumptions go, time is real again, the state stays', {
      statuses: [204],
      tool: destroys('end_scenario', 'Use it when the API should work again.', 'No scenario is in use.'),
      run: ({ sandbox }) => launch.end(sandbox),
    }),
  ]
}

async function describe(launch: Launch, name: string, rows: Rows): Promise<object> {
  try {
    const { description, rules } = await launch.scenarioNamed(name, rows)
    return { name, description, rules: rules.length }
  } catch (error) {
    return { name, error: (error as Error).message }
  }
}
