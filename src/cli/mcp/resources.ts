import { distribution } from '../../engine/files/package.ts'
import type { Gateway } from './gateway.ts'

export interface Resource {
  uri: string
  name: string
  description: string
  mimeType: string
  read(gateway: Gateway, signal: AbortSignal): Promise<string>
}

/** A file of the package. */
const file = (path: string, mimeType: string, description: string): Resource => ({
  uri: `edgesim://${path}`,
  name: path,
  description,
  mimeType,
  read: async () => distribution.read(path).toString(),
})

/** The control API's response to a GET for the default sandbox. */
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

/** What an agent can read: only these files of the package, and these responses. */
export const resources = (): Resource[] => [
  file('docs/api.md', MARKDOWN, 'API reference; explanations refer to its sections'),
  ...distribution
    .list('docs/api')
    .toSorted()
    .map(page => file(`docs/api/${page}`, MARKDOWN, 'API reference: a family of resources')),
  file('docs/scenarios.md', MARKDOWN, 'Scenario guide: rules, faults, rate limits, time'),
  file('docs/library.md', MARKDOWN, 'Library for TypeScript and JavaScript: start and control the simulator'),
  file('docs/agents.md', MARKDOWN, 'Guide to these tools, with an example'),
  file('scenarios/scenario.schema.json', JSON_SCHEMA, 'JSON Schema of scenarios'),
  file('fixtures/fixture.schema.json', JSON_SCHEMA, 'JSON Schema of fixtures, which describe a state'),
  reply('/assumptions', 'Undocumented behaviour and what edgesim assumes'),
  reply('/openapi.json', 'OpenAPI description of the simulated API'),
]
