import { DURATION } from '../src/basics/duration.ts'
import { recordShapeOf } from '../src/fixtures/index.ts'
import { isPart, kinds, operations } from '../src/resources/index.ts'
import { jsonSchemaOf, schemaFiles } from './generate-schemas.ts'

/** The parts of JSON Schema that our schemas use. */
interface Schema {
  type?: string
  description?: string
  pattern?: string
  enum?: string[]
  const?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  /** Tables whose records the value can refer to. */
  'x-refers-to'?: string[]
  /** The type, where it has a name already. */
  named?: string
}

export const typesFile = 'src/contract/shapes.ts'

const pascal = (name: string) => name.replace(/(^|_)([a-z])/g, (_, _gap, letter: string) => letter.toUpperCase())
const idOf = (prefix: string) => `\`${prefix}_\${string}\``
const prefixOf = new Map(kinds.map(({ table, prefix }) => [table, prefix]))

/** The type of a text. Patterns count only where they describe an id or a duration. */
function textType({ pattern = '', enum: values, const: value, 'x-refers-to': tables }: Schema): string {
  if (value !== undefined) return `'${value}'`
  if (values && operations.every(({ id }) => values.includes(id))) return 'OperationName'
  if (values) return values.map(each => `'${each}'`).join(' | ')
  if (tables) return tables.map(table => idOf(prefixOf.get(table)!)).join(' | ')
  const prefix = /^\^([a-z]+)_\[/.exec(pattern)?.[1]
  if (prefix) return idOf(prefix)
  return pattern === DURATION.source ? 'Duration' : 'string'
}

/** Only the first line is looked at, up to a brace that is no `${string}`: our lists never hold a union of objects. */
const listOf = (type: string) => (/^(?:[^\n{]|\$\{)* \| /.test(type) ? `(${type})[]` : `${type}[]`)

function typeOf(schema: Schema, indent: string): string {
  const { type, anyOf, oneOf, items, prefixItems, named } = schema
  if (named) return named
  const either = anyOf ?? oneOf
  if (either) return [...new Set(either.map(each => typeOf(each, indent)))].join(' | ')
  if (type === 'string' || schema.enum) return textType(schema)
  if (type === 'boolean') return 'boolean'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'array' && prefixItems) return `[${prefixItems.map(each => typeOf(each, indent)).join(', ')}]`
  if (type === 'array') return listOf(typeOf(items!, indent))
  if (type === 'object') return objectType(schema, indent)
  throw new Error(`There is no type for ${JSON.stringify(schema).slice(0, 200)}`)
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

/** The types of fixtures, scenarios and records, made of the schemas of the declarations. */
export function renderTypes(): string {
  const [fixture, scenario] = schemaFiles.map(each => jsonSchemaOf(each) as Schema) as [Schema, Schema]
  const { rules, state: _state, assume: _assume, ...members } = scenario.properties!
  const listed = kinds.filter(kind => !isPart(kind))
  const parts = kinds.filter(isPart)
  const records = listed.map(({ name, table, label }) => {
    const schema = fixture.properties![table]!.items!
    // A part that has an id there too is like one by itself, but for whose part it is.
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
      `One ${label} by itself; in a fixture it stands inside its record.`,
      recordShapeOf(table).json,
    ),
  )
  return `// Generated from the declarations by \`npm run generate\`. Do not edit.
import type { AssumedForm } from './assumptions.ts'

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

/** The state a sandbox starts with. */
export interface Fixture extends Partial<Tables> {
  $schema?: string
  missing?: string[]
  order?: { [T in TableName | keyof PartTables]?: string[] }
  _edgesim?: Record<string, unknown>
}

${interfaceOf('Rule', 'What goes wrong, and for which calls.', rules!.items!)}
/** What goes wrong in a sandbox, and when. */
export interface Scenario {
${objectType({ properties: members }, '').slice(2, -2)}
  /** Records to merge into the fixture: given fields replace those of a known id, a new id is added. */
  state?: { [T in TableName]?: (Partial<Tables[T][number]> & Pick<Tables[T][number], 'id'>)[] }
  /** Assumptions to change. */
  assume?: AssumedForm
  /** Tried in order. All latencies add up; the first fault wins. */
  rules?: Rule[]
}
`
}
