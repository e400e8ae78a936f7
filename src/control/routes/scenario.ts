import { anyObject, either, textShape, withJson } from '../../basics/shape.ts'
import type { ScenarioReport } from '../../contract/info.ts'
import { WITH_STATE } from '../../contract/lengths.ts'
import { MAX_YAML_BODY_KIB, toYamlText } from '../../engine/files/yaml-text.ts'
import type { Rows } from '../../engine/fixtures/index.ts'
import type { Launch } from '../../engine/launch/launch.ts'
import type { ControlContext } from '../context.ts'
import { del, get, post, put, quoted, type Route, reject } from '../route.ts'

const SCENARIO =
  '"outage", {"name": "outage"}, {"yaml": "…"}, or a scenario: {"rules": [{"when": {"operation": "create_api_key", "calls": 1}, "fault": {"type": "error", "status": 503}}]}. See docs/scenarios.md'
const NO_SCENARIO: ScenarioReport = { name: null, description: 'No active scenario.', rules: [] }

export function scenarioRoutes({ sandboxes: { launch } }: ControlContext): Route[] {
  /** A file is read again if it, the launch fixture or a named fixture changed. */
  const described = new Map<string, { stamp: string; rows: Rows; description: object }>()
  return [
    get('/scenarios', 'List named scenarios', {
      global: true,
      async run() {
        const { scenarios, fixtures } = launch.settings
        const { rows } = launch.fixture
        const fixtureStamps = fixtures.names().map(name => fixtures.stampOf(name))
        const descriptions: object[] = []
        // One after the other, so other requests are served in between.
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
    get('/scenario', 'Get the active scenario with match counts per rule', {
      run: ({ sandbox }) => sandbox.rules?.report() ?? NO_SCENARIO,
    }),
    put('/scenario', 'Activate a scenario, by name, as YAML or as JSON', {
      query: { dry_run: 'true, to only validate it' },
      body: withJson(either(textShape(), anyObject), { description: SCENARIO }),
      lengths: WITH_STATE,
      async run({ sandbox, body, query }) {
        const dryRun = query.get('dry_run') ?? 'false'
        if (!['true', 'false'].includes(dryRun)) reject(`"dry_run" must be true or false, got ${quoted(dryRun)}`)
        const given = nameOrScenario(body)
        if (dryRun === 'true') {
          const { name, rules } = await launch.scenarioNamed(given, sandbox.tables.rows())
          return { valid: true, name, rules: rules.length }
        }
        await launch.useNamed(given, sandbox)
        return sandbox.rules!.report()
      },
    }),
    post('/scenario/yaml', 'Convert a scenario to YAML, without validating it', {
      global: true,
      body: withJson(anyObject, { description: 'A scenario as JSON' }),
      async run({ body }) {
        if (JSON.stringify(body).length > MAX_YAML_BODY_KIB * 1024)
          reject(`The scenario is larger than ${MAX_YAML_BODY_KIB} KiB, the limit for YAML. Use JSON instead`)
        return { yaml: await toYamlText(body) }
      },
    }),
    del('/scenario', 'End the scenario and return to real time, without changing the state', {
      statuses: [204],
      run: ({ sandbox }) => launch.end(sandbox),
    }),
  ]
}

/** A name, as a string or as `{"name": …}`, or a scenario. */
function nameOrScenario(body: string | Record<string, unknown>) {
  if (typeof body === 'string') return body
  const fields = Object.keys(body).length
  if (fields === 0) reject('The body is empty. Send a name, {"yaml": "…"} or a scenario')
  if (typeof body.yaml === 'string' && fields > 1)
    reject('"yaml" cannot be combined with other fields. Write them into the YAML')
  return fields === 1 && typeof body.name === 'string' ? body.name : body
}

async function describe(launch: Launch, name: string, rows: Rows): Promise<object> {
  try {
    const { description, rules } = await launch.scenarioNamed(name, rows)
    return { name, description, rules: rules.length }
  } catch (error) {
    return { name, error: (error as Error).message }
  }
}
