import { readFileSync } from 'node:fs'
import { capital } from '../src/basics/text.ts'
import { reportShape } from '../src/contract/report.ts'
import { assumptionProperties } from '../src/engine/assumptions.ts'
import { MAX_REPEAT } from '../src/engine/fixtures/expand.ts'
import { fixtureShape } from '../src/engine/fixtures/schema.ts'
import { scenarioShapeOf } from '../src/engine/scenarios/schema.ts'
import { ngrok } from '../src/ngrok/api.ts'
import { assumptionSets, ngrokAssumptions } from '../src/ngrok/questions.ts'
import { fixtureTables, kindOf } from '../src/ngrok/resources/index.ts'
import { type Option, options } from '../src/simulator/options/options.ts'

interface SchemaFile {
  /** Relative to the package folder. */
  file: string
  title: string
  description: string
  schema: () => Json
  /** Descriptions of top-level fields. */
  members: Record<string, string>
  /** Stricter field schemas for editors. edgesim checks these fields later. */
  inner?: () => Record<string, Json>
}

type Json = Record<string, unknown>

/** The parts of a JSON Schema described here. */
interface Described {
  description?: string
  const: string
  items: Described
  oneOf: Described[]
  properties: Record<string, Described>
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** JSON Schemas for editors. `npm run generate` writes them, and a test fails if one is stale. */
export const schemaFiles: SchemaFile[] = [
  {
    file: 'fixtures/fixture.schema.json',
    title: 'edgesim fixture',
    description: 'Initial state of a sandbox.',
    schema: () => ({ $schema: DIALECT, $defs: { repeat: REPEAT }, ...fixtureShape(ngrok.catalog).json }),
    inner: expandable,
    members: {
      ...Object.fromEntries(fixtureTables.map(table => [table, describeTable(table)])),
      missing: 'Deleted policies that modules still refer to.',
      order: 'IDs per table in insertion order, if it differs from created_at.',
      _edgesim: 'Internal data of edgesim in a database file.',
    },
  },
  {
    file: 'scenarios/scenario.schema.json',
    title: 'edgesim scenario',
    description: 'Faults, latency, state, clock and assumptions of a sandbox.',
    schema: describedScenario,
    members: explained('Field'),
    inner: () => ({ state: mergedStateSchema() }),
  },
]

const REPEAT = {
  description: 'Number of copies of this record. In each copy, {n} in strings is replaced by 1, 2, 3 and so on',
  type: 'integer',
  minimum: 1,
  maximum: MAX_REPEAT,
}

/** What a fixture file may contain before it is expanded. Strings of a repeated record need not be valid yet. */
function expandable(): Record<string, Json> {
  const properties = fixtureShape(ngrok.catalog).json.properties as Json
  const repeat = { $ref: '#/$defs/repeat' }
  const tables = fixtureTables.map(table => {
    const { items, ...list } = properties[table] as { items: Json & { properties: Json } }
    const names = Object.fromEntries(Object.keys(items.properties).map(name => [name, true]))
    const copies = {
      type: 'object',
      properties: { ...names, id: { type: 'string', pattern: '\\{n\\}' }, repeat },
    }
    const one = { ...items, properties: { ...items.properties, repeat } }
    const then = { ...copies, required: ['id'], additionalProperties: false }
    return [table, { ...list, items: { if: { required: ['repeat'] }, then, else: one } }]
  })
  const description =
    'Name or path of a fixture. Records of this file are added to it, or replace fields of records with the same ID'
  return { extends: { description, type: 'string' }, ...Object.fromEntries(tables) }
}

function describeTable(table: string) {
  const { label, section } = kindOf(table)
  return `${label} records, docs/api.md ${section}`
}

/** Descriptions from a table of docs/scenarios.md as plain text, by the name in the first column. */
function explained(head: string, toText = ([text = '']: string[]) => text): Record<string, string> {
  const lines = readFileSync(new URL('../docs/scenarios.md', import.meta.url), 'utf8').split('\n')
  const first = lines.findIndex(line => line.startsWith(`| ${head} |`)) + 2
  const rows = lines.slice(first, lines.indexOf('', first)).map(line => line.split('|').slice(1, -1))
  const plain = (cell: string) => cell.replace(/\[([^\]]*)\]\([^)]*\)|`/g, '$1').trim()
  const texts = rows.flatMap(([names = '', ...cells]) => {
    const text = toText(cells.map(plain))
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, capital(text)])
  })
  return Object.fromEntries(texts)
}

/** The scenario schema, with descriptions of rules and faults from docs/scenarios.md. */
function describedScenario(): Json {
  const json = { $schema: DIALECT, ...structuredClone(scenarioShapeOf(ngrok).json) }
  const rule = (json as unknown as Described).properties.rules!.items.properties
  for (const [name, text] of Object.entries(explained('Rule field'))) rule[name]!.description = text
  for (const [name, text] of Object.entries(explained('`when` field'))) rule.when!.properties[name]!.description = text
  const faults = explained('Fault', ([settings, executed, seen]) => {
    const call = { yes: ' The call is executed.', no: ' The call is not executed.' }[executed!] ?? ''
    return `The client sees ${seen}.${call}${settings === '–' ? '' : ` Settings (default): ${settings}.`}`
  })
  for (const { properties } of rule.fault!.oneOf) properties.type!.description = faults[properties.type!.const]
  return json
}

/** Records as in a fixture. Only the ID is required, because an existing record has the other fields. */
function mergedStateSchema(): Json {
  const properties = fixtureShape(ngrok.catalog).json.properties as Json
  const tables = fixtureTables.map(table => {
    const { items, ...list } = properties[table] as { items: Json }
    return [table, { description: describeTable(table), ...list, items: { ...items, required: ['id'] } }]
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

/** On one line, because indentation would make them a tenth of the package. */
export const renderSchema = (file: SchemaFile) =>
  `${JSON.stringify(jsonSchemaOf(file), (_, each) => describeReference(each))}\n`

/** Describes the records that a field refers to. */
function describeReference(schema: unknown) {
  const of = (each: unknown) => (each as Json | undefined)?.['x-refers-to'] as string[] | undefined
  const [one, many] = [of(schema), of((schema as Json | undefined)?.items)]
  if (!one && !many) return schema
  return { description: `${one ? 'ID' : 'IDs'} in ${(one ?? many)!.join(' or ')}`, ...(schema as Json) }
}

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
      { type: 'object', properties: assumptionProperties(ngrokAssumptions), additionalProperties: false },
      { type: 'string', anyOf: [{ enum: Object.keys(assumptionSets) }, { pattern: '\\.json$' }] },
      { type: 'array', items: TEXT },
    ],
  },
  hosts: { anyOf: [TEXT, { type: 'array', items: TEXT }, { const: true }] },
}

/** The JSON Schema of the configuration file, from the table of options. */
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

export const reportFile = 'report.schema.json'
const reportJsonSchema = () => ({
  $schema: DIALECT,
  ...reportShape.json,
  title: 'edgesim report',
  description: 'Coverage report of a run: edgesim exec --report FILE.json, and GET /_sim/report.',
})
export const renderReportSchema = () => `${JSON.stringify(reportJsonSchema(), null, 2)}\n`
