import { DURATION } from '../src/basics/duration.ts'
import { recordShapeOf } from '../src/engine/fixtures/index.ts'
import { ngrok } from '../src/ngrok/api.ts'
import { isPart, kinds, operations } from '../src/ngrok/resources/index.ts'
import { jsonSchemaOf, schemaFiles } from './generate-schemas.ts'

/** The parts of JSON Schema that edgesim uses. */
interface Schema {
  type?: string
  description?: string
  pattern?: string
  enum?: string[]
  const?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  else?: Schema
  $defs?: Record<string, Schema>
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  /** Tables that the value can refer to. */
  'x-refers-to'?: string[]
  /** The type name, if it exists. */
  named?: string
}

export const typesFile = 'src/ngrok/shapes.ts'
/** Apart, because only these of the assumptions' facts are published. */
export const assumedFile = 'src/ngrok/assumed.ts'

const pascal = (name: string) => name.replace(/(^|_)([a-z])/g, (_, _gap, letter: string) => letter.toUpperCase())
const idOf = (prefix: string) => `\`${prefix}_\${string}\``
const prefixOf = new Map(kinds.map(({ table, prefix }) => [table, prefix]))

/** The type of a string. Only patterns for IDs and durations matter. */
function textType({ pattern = '', enum: values, const: value, 'x-refers-to': tables }: Schema): string {
  if (value !== undefined) return `'${value}'`
  if (values && operations.every(({ id }) => values.includes(id))) return 'OperationName'
  if (values) return values.map(each => `'${each}'`).join(' | ')
  if (tables) return tables.map(table => idOf(prefixOf.get(table)!)).join(' | ')
  const prefix = /^\^([a-z]+)_\[/.exec(pattern)?.[1]
  if (prefix) return idOf(prefix)
  return pattern === DURATION.source ? 'Duration' : 'string'
}

/** Reads the first line up to a brace other than `${string}`, because lists never contain a union of objects. */
const listOf = (type: string) => (/^(?:[^\n{]|\$\{)* \| /.test(type) ? `(${type})[]` : `${type}[]`)

function typeOf(schema: Schema, indent: string): string {
  const { type, anyOf, oneOf, items, prefixItems, named } = schema
  if (named) return named
  const either = Array.isArray(type) ? type.map(each => ({ ...schema, type: each })) : (anyOf ?? oneOf)
  if (either) return [...new Set(either.map(each => typeOf(each, indent)))].join(' | ')
  if (type === 'string' || schema.enum) return textType(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array' && prefixItems) return `[${prefixItems.map(each => typeOf(each, indent)).join(', ')}]`
  if (type === 'array') return listOf(typeOf(items!, indent))
  if (type === 'object') return objectType(schema, indent)
  throw new Error(`No type for ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (!properties)
    return typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
      ? `Record<string, ${typeOf(additionalProperties, indent)}>`
      : 'Record<string, unknown>'
  const members = Object.entries(properties).map(([name, schema]) => {
    const comment = schema.description ? `${indent}  /** ${schema.description} */\n` : ''
    return `${comment}${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}  `)}\n`
  })
  return `{\n${members.join('')}${indent}}`
}

const interfaceOf = (name: string, comment: string, schema: Schema) =>
  `/** ${comment} */\nexport interface ${name} ${objectType(schema, '')}\n`

/** Types of fixtures, scenarios and records, from the declared schemas. */
export function renderTypes(): string {
  const [fixture, scenario] = schemaFiles.map(each => jsonSchemaOf(each) as Schema) as [Schema, Schema]
  const { rules, state: _state, assume: _assume, ...members } = scenario.properties!
  const listed = kinds.filter(kind => !isPart(kind))
  const parts = kinds.filter(isPart)
  const records = listed.map(({ name, table, label }) => {
    const { repeat: _, ...ownProperties } = fixture.properties![table]!.items!.else!.properties!
    const schema = { ...fixture.properties![table]!.items!.else!, properties: ownProperties }
    // An embedded part with an ID equals a separate part, except for its owner.
    const named = parts.filter(({ partOf }) => partOf.table === table && !partOf.unnamed)
    const lists = named.map(({ name: part, partOf: { list, by } }): [string, Schema] => [
      list,
      { type: 'array', items: { named: `Omit<${pascal(part)}, '${by}'>` } },
    ])
    const properties = { ...schema.properties, ...Object.fromEntries(lists) }
    return interfaceOf(pascal(name), `One ${label} of a fixture.`, { ...schema, properties })
  })
  const partRecords = parts.map(({ name, table, label }) =>
    interfaceOf(
      pascal(name),
      `A single ${label}. Fixtures contain it inside its record.`,
      recordShapeOf(ngrok.catalog, table).json,
    ),
  )
  return `// Generated from the declarations by \`npm run generate\`. Do not edit.
import type { AssumedForm } from './assumed.ts'

export type Duration = \`\${number}\${'ms' | 's' | 'm' | 'h' | 'd'}\`

export type OperationName =
${operations.map(({ id }) => `  | '${id}'`).join('\n')}

${[...records, ...partRecords].join('\n')}
/** Records by table. */
export interface Tables {
${listed.map(({ name, table }) => `  ${table}: ${pascal(name)}[]`).join('\n')}
}

export type TableName = keyof Tables

/** Records that stand inside others in a fixture, by the table they have to themselves. */
export interface PartTables {
${parts.map(({ name, table }) => `  ${table}: ${pascal(name)}[]`).join('\n')}
}

type Repeatable = { [T in TableName]?: (Tables[T][number] & Repeated)[] }

interface Repeated {
  /** ${fixture.$defs!.repeat!.description} */
  repeat?: number
}

/** The state a sandbox starts with. */
export interface Fixture extends Repeatable {
  $schema?: string
  /** ${fixture.properties!.extends!.description} */
  extends?: string
  missing?: string[]
  order?: { [T in TableName | keyof PartTables]?: string[] }
  _edgesim?: Record<string, unknown>
}

${interfaceOf('Rule', 'Latency, a fault or a rate limit, and the calls it applies to.', rules!.items!)}
/** Faults, latency, state, clock and assumptions of a sandbox. */
export interface Scenario {
${objectType({ properties: members }, '').slice(2, -2)}
  /** Records to merge into the fixture. Fields of an existing ID are replaced, and a new ID is added. */
  state?: { [T in TableName]?: (Partial<Tables[T][number]> & Pick<Tables[T][number], 'id'>)[] }
  /** Assumptions to change. */
  assume?: AssumedForm
  /** Checked in order. All latencies add up, and the first fault wins. */
  rules?: Rule[]
}
`
}

/** The names and values of assumptions, without their texts. */
export function renderAssumed(): string {
  const union = (values: readonly string[]) => values.map(value => `'${value}'`).join(' | ')
  const members = Object.entries(ngrok.assumptions).map(([name, { values }]) => `  ${name}: ${union(values)}\n`)
  return `// Generated from the declarations by \`npm run generate\`. Do not edit.

interface Values {
${members.join('')}}

export type AssumptionName = keyof Values
export type AssumptionValue<N extends AssumptionName> = Values[N]
/** The changed assumptions. The others have their defaults. */
export type Assumed = { [N in AssumptionName]?: AssumptionValue<N> }
export type AssumptionSet = ${union(Object.keys(ngrok.presets!))}

/** An object by name, a preset, or a list of presets and NAME=VALUE. */
export type AssumedForm = Assumed | AssumptionSet | readonly string[]
`
}
