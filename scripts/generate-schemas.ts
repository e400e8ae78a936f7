import * as z from 'zod'
import { assumptionMembers, assumptionSets } from '../src/contract/assumptions.ts'
import { fixtureShape } from '../src/fixtures/schema.ts'
import { type Option, options } from '../src/options/options.ts'
import { fixtureTables, kindOf } from '../src/resources/index.ts'
import { scenarioSchema } from '../src/scenarios/schema.ts'

interface SchemaFile {
  /** Relative to the package's folder. */
  file: string
  title: string
  description: string
  schema: () => Json
  /** Descriptions of the members of the outermost object. */
  members: Record<string, string>
  /** More exact schemas of members, for editors; our own checks look into these members later. */
  inner?: () => Record<string, Json>
}

type Json = Record<string, unknown>

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** The JSON Schemas that editors check files with. `npm run generate` writes them; a test fails when one is out of date. */
export const schemaFiles: SchemaFile[] = [
  {
    file: 'fixtures/fixture.schema.json',
    title: 'edgesim fixture',
    description: 'The state a sandbox starts with.',
    schema: () => ({ $schema: DIALECT, ...fixtureShape().json }),
    members: {
      ...Object.fromEntries(
        fixtureTables.map(table => {
          const { label, section } = kindOf(table)
          return [table, `${label} records, docs/api.md ${section}`]
        }),
      ),
      missing: 'Policies that were deleted while modules named them.',
      order: 'By table, ids in the order of insertion, where it is another than that of created_at.',
      _edgesim: 'What edgesim keeps for itself in a database file.',
    },
  },
  {
    file: 'scenarios/scenario.schema.json',
    title: 'edgesim scenario',
    description: 'What goes wrong in a sandbox, and when.',
    schema: () => toJson(scenarioSchema),
    members: {
      state:
        'Records to merge into the fixture, in its format: given fields replace those of a known id, a new id is added.',
      clock: 'Where the clock of the sandbox stands, and whether it stands still.',
      seed: 'Makes the draws of probabilities and latencies repeatable.',
      assume: 'Assumptions to change; edgesim assumptions lists them.',
      rules: 'Tried in order. All latencies add up; the first fault wins.',
    },
    inner: () => ({ state: mergedStateSchema() }),
  },
]

const toJson = (schema: z.ZodType): Json =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input', unrepresentable: 'any' })

/** Records as in a fixture, with only the id required: the other fields of a known id may be left out. */
function mergedStateSchema(): Json {
  const properties = fixtureShape().json.properties as Json
  const tables = fixtureTables.map(table => {
    const { items, ...list } = properties[table] as { items: Json }
    return [table, { ...list, items: { ...items, required: ['id'] } }]
  })
  return { type: 'object', properties: Object.fromEntries(tables), additionalProperties: false }
}

export function jsonSchemaOf({ title, description, schema, members, inner }: SchemaFile): Json {
  const { $schema, ...rest } = schema()
  const properties = Object.entries({ ...(rest.properties as Json), ...inner?.() }).map(([name, member]) => [
    name,
    members[name] ? { description: members[name], ...(member as object) } : member,
  ])
  return { $schema, title, description, ...rest, properties: Object.fromEntries(properties) }
}

/** On one line: nobody reads them, and with indentation they are a tenth of the package. */
export const renderSchema = (file: SchemaFile) => `${JSON.stringify(jsonSchemaOf(file))}\n`

const TEXT = { type: 'string' }

const VALUES: Record<Option['kind'], Json> = {
  text: TEXT,
  number: { type: 'number' },
  switch: { type: 'boolean' },
  list: { type: 'array', items: TEXT },
  fixture: { anyOf: [TEXT, { type: 'object' }] },
  scenario: { anyOf: [TEXT, { type: 'object' }] },
  seed: { type: ['string', 'number'] },
  assumed: {
    anyOf: [
      { type: 'object', properties: assumptionMembers(), additionalProperties: false },
      { type: 'string', anyOf: [{ enum: Object.keys(assumptionSets) }, { pattern: '\\.json$' }] },
      { type: 'array', items: TEXT },
    ],
  },
  hosts: { anyOf: [TEXT, { type: 'array', items: TEXT }, { const: true }] },
}

/** The JSON Schema of the configuration file, made of the table of options. */
export function configSchema(): Json {
  const properties = Object.entries<Option>(options).map(([name, { kind, describe, choices, default: value }]) => [
    name,
    { description: describe, ...VALUES[kind], ...(choices && { enum: choices }), default: value },
  ])
  return {
    $schema: DIALECT,
    title: 'edgesim configuration',
    description: 'Options of edgesim, in edgesim.config.json or edgesim.config.yaml.',
    type: 'object',
    properties: { $schema: TEXT, ...Object.fromEntries(properties) },
    additionalProperties: false,
  }
}

export const configFile = 'config.schema.json'
export const renderConfigSchema = () => `${JSON.stringify(configSchema(), null, 2)}\n`
