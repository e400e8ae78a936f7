import { distribution } from '../files/package.ts'
import type { Gateway } from './gateway.ts'

export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  read(gateway: Gateway, signal: AbortSignal): Promise<string>
}

/** A file that edgesim is published with. */
const file = (path: string, mimeType: string, description: string): Resource => ({
  uri: `edgesim://${path}`,
  name: path,
  description,
  mimeType,
  read: async () => distribution.read(path).toString(),
})

/** The answer of the control plane to a GET, about the sandbox of the session. */
const reply = (path: string, description: string): Resource => ({
  uri: `edgesim:/${path}`,
  name: path.slice(1),
  description,
  mimeType: 'application/json',
  read: async ({ control, sandbox }, signal) =>
    JSON.stringify(await control.for(sandbox).call('GET', `/sandboxes/${sandbox}${path}`, undefined, signal)),
})

const MARKDOWN = 'text/markdown'
const JSON_SCHEMA = 'application/schema+json'

/** What an agent can read beside its tools: these files of the package and these answers, no other files. */
export const resources: Resource[] = [
  file('docs/api.md', MARKDOWN, 'What the API does, section by section: explanations refer to these'),
  file('docs/scenarios.md', MARKDOWN, 'How to write a scenario: rules, faults, rate limits, time'),
  file('docs/library.md', MARKDOWN, 'How tests in TypeScript and JavaScript start and steer the simulator'),
  file('docs/agents.md', MARKDOWN, 'These tools: an example from an empty folder to a verified retry'),
  file('scenarios/scenario.schema.json', JSON_SCHEMA, 'JSON Schema of a scenario'),
  file('fixtures/fixture.schema.json', JSON_SCHEMA, 'JSON Schema of a fixture, which is a state'),
  reply('/assumptions', 'What the API document leaves open, and what is assumed'),
  reply('/openapi.json', 'OpenAPI of the simulated API'),
]
