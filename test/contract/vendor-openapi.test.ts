import { describe, expect, it } from 'vitest'
import { type Described, operationOf, readOpenApi, readRecorded } from '../../scripts/record.ts'
import { openapi } from '../../src/engine/describe/openapi.ts'
import { ngrok } from '../../src/ngrok/api.ts'
import { operations } from '../../src/ngrok/resources/index.ts'

/** Compares edgesim's OpenAPI with the vendor's public OpenAPI: operations, statuses, request and response fields. */

type Json = Record<string, unknown>
type Schema = Json & { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; $ref?: string }

/** Fields that edgesim's responses omit, and why. */
const SECRET = 'A secret is stored as a hash, and nothing shows it again.'
const EXCEPTIONS: Record<string, string> = {
  'AWSCredentials.aws_secret_access_key is not there': SECRET,
  'EventTargetAzureLogsIngestion.client_secret is not there': SECRET,
  'EventTargetDatadog.api_key is not there': SECRET,
}

const vendor = readOpenApi()
const ours = openapi(ngrok, {
  url: 'http://127.0.0.1:4600',
  version: '0',
  vendor: 'ngrok',
  assumed: () => '',
} as never) as {
  paths: Record<string, Record<string, Json & { responses: Record<string, Json>; requestBody?: Json }>>
  components: { schemas: Record<string, Schema> }
}

/** Follows $ref, and ignores null. */
function resolve(schema: Schema | undefined): Schema {
  if (schema?.$ref) return resolve(ours.components.schemas[schema.$ref.split('/').at(-1)!])
  const [own] = (schema?.anyOf ?? []).filter(({ type }) => type !== 'null')
  return own ? resolve(own) : (schema ?? {})
}

const schemaOf = (message: Json | undefined) =>
  resolve((message as { content?: Record<string, { schema: Schema }> })?.content?.['application/json']?.schema)

/** Differences from a vendor schema, one line per field. */
function differences(name: string, schema: Schema, ignored: string[] = []): string[] {
  return Object.entries(vendor.schemas[name] ?? {}).flatMap(([member, type]) => {
    const at = `${name}.${member}`
    if (ignored.includes(member)) return []
    const own = resolve(schema.properties?.[member])
    const isList = type.startsWith('[')
    const inside = isList ? type.slice(1, -1) : type
    const item = isList ? resolve(own.items) : own
    if (!schema.properties?.[member]) return [`${at} is not there`]
    if (vendor.schemas[inside]) return differences(inside, item)
    const types = [item.type].flat()
    const fits = types.includes(inside) || (inside === 'number' && types.includes('integer')) || types.includes('null')
    return fits ? [] : [`${at} is ${isList ? 'a list of ' : ''}${inside}, and here ${JSON.stringify(item.type)}`]
  })
}

const parameters = (path: string) => Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)

/** Clients may send a module directly, or inside `module`. */
function requestDifferences({ takes, path }: Described, body: Schema): string[] {
  const module = vendor.schemas[takes!]?.module
  return module ? differences(module, body) : differences(takes!, body, parameters(path))
}

function oursOf({ method, path }: Described) {
  const operation = operationOf(`${method} ${path}`)
  return operation && ours.paths[operation.path]![method.toLowerCase()]!
}

const queryOf = ({ parameters = [] }: Json & { parameters?: { name?: string; $ref?: string }[] }) =>
  parameters.map(({ name, $ref }) => name ?? $ref!.split('/').at(-1)!)

const answerDifferences = (described: Described): string[] =>
  described.gives ? differences(described.gives, schemaOf(oursOf(described)?.responses[described.status])) : []

describe("Every operation of the vendor's OpenAPI is served", () => {
  it.each(Object.entries(vendor.operations))('%s', (name, described) => {
    const own = oursOf(described)
    expect(own, `${name}: nothing serves ${described.method} ${described.path}`).toBeDefined()
    expect(Object.keys(own!.responses), name).toContain(String(described.status))
    expect(described.query?.filter(each => !queryOf(own!).includes(each)) ?? []).toEqual([])
    if (own!.requestBody) expect(requestDifferences(described, schemaOf(own!.requestBody))).toEqual([])
    expect(answerDifferences(described).filter(each => !EXCEPTIONS[each])).toEqual([])
  })

  it('with no others except those in published examples and the newest SDK', () => {
    const ofSdk = operations.filter(({ path }) => path.startsWith('/ai_gateway_api_keys')).map(({ id }) => id)
    const recorded = Object.values(readRecorded()).map(request => operationOf(request)?.id)
    const served = new Set([
      ...recorded,
      ...ofSdk,
      ...Object.values(vendor.operations).map(each => oursOf(each)?.operationId),
    ])
    const all = Object.values(ours.paths).flatMap(methods => Object.values(methods).map(each => each.operationId))
    expect(all.filter(id => !served.has(id as string))).toEqual([])
  })

  it('except for the fields listed above', () => {
    const found = new Set(Object.values(vendor.operations).flatMap(answerDifferences))
    expect(Object.keys(EXCEPTIONS).filter(each => !found.has(each))).toEqual([])
  })
})
