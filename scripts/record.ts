import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Operation } from '../src/engine/language/index.ts'
import { operations } from '../src/ngrok/resources/index.ts'

/**
 * The vendor's published requests and responses, without their values. Each file of test/contract/record contains the
 * pairs of one path family. recorded.json names every recorded operation, including operations not simulated yet.
 */

/** `string`, `boolean`, `number`, `time`, `uri`, or an ID prefix like `ak_`. A list has up to one item. */
export type Shape = null | string | Shape[] | { [member: string]: Shape }

export interface Pair {
  /** Method and path. A parameter has the name of its ID prefix. */
  request: string
  body?: Record<string, Shape>
  status: number
  /** Missing fields were absent. */
  answer?: Shape
  remark?: string
}

type Pairs = Record<string, Pair>

/** An operation of the vendor's OpenAPI. `takes` and `gives` are schema names, `query` lists parameter names. */
export interface Described {
  method: string
  path: string
  status: number
  takes?: string
  gives?: string
  query?: string[]
}

/** The vendor's OpenAPI. Schemas are types by field. A type may be the name of a schema. */
export interface VendorOpenApi {
  operations: Record<string, Described>
  schemas: Record<string, Record<string, string>>
  required: Record<string, string[]>
}

/** Facts from the vendor's OpenAPI and published examples. */
export interface Facts extends VendorOpenApi {
  recorded: Record<string, { method: string; path: string; takes?: Record<string, Shape>; gives?: Shape }>
}

const folder = fileURLToPath(new URL('../test/contract/record/', import.meta.url))
const INDEX = 'recorded.json'
const OPENAPI = 'openapi.json'
const readJson = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

export const readPairs = (): Pairs => Object.assign({}, ...readdirSync(folder).filter(isFamily).map(readJson)) as Pairs
const isFamily = (file: string) => file.endsWith('.json') && file !== INDEX && file !== OPENAPI

/** Method and path of recorded operations, by name. */
export const readRecorded = (): Record<string, string> => readJson(INDEX)

export const readOpenApi = (): VendorOpenApi => readJson(OPENAPI)

const pathOf = (request: string) => request.split(' ')[1]!.split('?')[0]!

/** The simulated operation of a recorded request. */
export function operationOf(request: string): Operation | undefined {
  const fits = ({ path }: Operation) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathOf(request))
  return operations.find(operation => request.startsWith(`${operation.method} `) && fits(operation))
}

/** The pairs of simulated operations in the facts. */
export function toPairs({ operations: described, recorded }: Pick<Facts, 'operations' | 'recorded'>): Pairs {
  const statuses = Object.values(described).map(({ method, path, status }) => [slotted(`${method} ${path}`), status])
  const statusOf = Object.fromEntries(statuses) as Record<string, number>
  const pairs: Pairs = {}
  for (const [name, { method, path, takes, gives }] of Object.entries(recorded)) {
    const request = `${method} ${path}`
    if (!operationOf(request)) continue
    const isMisnamed = /_(get|list)$/.test(name) && method !== 'GET'
    const remark = isError(gives) ? AS_ERROR : isMisnamed && `Published as a read, with ${method}.`
    pairs[name] = {
      request,
      ...(takes && { body: toShape(takes) as Record<string, Shape> }),
      status: statusOf[slotted(request)] ?? { POST: 201, DELETE: 204 }[method] ?? 200,
      ...(gives && !isError(gives) && { answer: toShape(gives) }),
      ...(remark && { remark }),
    }
  }
  return pairs
}

/** A pair with an error response shows nothing about the operation. */
const AS_ERROR = 'Published with an error as its response. Its status comes from the OpenAPI description.'
export const wasAnError = ({ remark }: Pair) => remark === AS_ERROR
const isError = (gives: Shape | undefined) => JSON.stringify(gives ?? null).includes('"operation_id":')

const slotted = (request: string) => request.split('?')[0]!.replace(/\{\w+\}/g, '{}')

function toShape(fact: Shape): Shape {
  if (fact === 'null' || fact === null) return null
  if (Array.isArray(fact)) return fact.map(toShape)
  if (typeof fact === 'string') return fact
  return Object.fromEntries(Object.entries(fact).map(([member, value]) => [withoutValue(member), toShape(value)]))
}

/** An ID field is named by its prefix. */
const withoutValue = (member: string) => member.replace(/^([a-z]+_)[A-Za-z0-9]{27}$/, '$1')

/** The schemas that operations use. */
function toOpenApi({ operations, schemas, required }: VendorOpenApi): VendorOpenApi {
  const used = new Set<string>()
  const use = (type: string) => {
    const name = type.replace(/^\[|\]$/g, '')
    if (!schemas[name] || used.has(name)) return
    used.add(name)
    for (const member of Object.values(schemas[name])) use(member)
  }
  for (const { takes = '', gives = '' } of Object.values(operations)) for (const name of [takes, gives]) use(name)
  const ofUsed = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
  const bare = ({ method, path, status, takes, gives, query = [] }: Described) => ({
    ...{ method, path, status, takes, gives },
    ...(query.length > 0 && { query }),
  })
  const described = Object.entries(operations).map(([name, each]) => [name, bare(each)])
  return { operations: Object.fromEntries(described), schemas: ofUsed(schemas), required: ofUsed(required) }
}

interface OpenApiSchema {
  $ref?: string
  type?: string
  items?: OpenApiSchema
  properties?: Record<string, OpenApiSchema>
  required?: string[]
}
interface OpenApiMessage {
  content?: Record<string, { schema: OpenApiSchema }>
}
interface OpenApiOperation {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: OpenApiMessage
  responses: Record<string, OpenApiMessage>
}

export function readDocument(text: string): VendorOpenApi {
  const { paths, components } = parse(text) as {
    paths: Record<string, Record<string, OpenApiOperation>>
    components: { schemas: Record<string, OpenApiSchema> }
  }
  const nameOf = ({ $ref, type, items }: OpenApiSchema): string =>
    $ref ? $ref.split('/').at(-1)! : items ? `[${nameOf(items)}]` : type!
  const schemaOf = (message: OpenApiMessage | undefined) => {
    const schema = message?.content?.['application/json']?.schema
    return schema && nameOf(schema)
  }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, parameters = [], requestBody, responses }]): [string, Described] => {
        const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
        const [takes, gives] = [schemaOf(requestBody), schemaOf(response)]
        const query = parameters.filter(each => each.in === 'query').map(({ name }) => name)
        return [operationId, { method: method.toUpperCase(), path, status: Number(status), takes, gives, query }]
      },
    ),
  )
  const schemas = Object.entries(components.schemas)
  return {
    operations: Object.fromEntries(described),
    schemas: Object.fromEntries(
      schemas.map(([name, { properties = {} }]) => [
        name,
        Object.fromEntries(Object.entries(properties).map(([member, schema]) => [member, nameOf(schema)])),
      ]),
    ),
    required: Object.fromEntries(schemas.flatMap(([name, { required }]) => (required ? [[name, required]] : []))),
  }
}

/** Merges both. The newer one wins. Fields and parameters in only one of them are preserved. */
export function merge(older: VendorOpenApi, newer: VendorOpenApi): VendorOpenApi {
  const names = new Set([...Object.keys(older.schemas), ...Object.keys(newer.schemas)])
  return {
    operations: {
      ...older.operations,
      ...Object.fromEntries(
        Object.entries(newer.operations).map(([name, each]) => [
          name,
          { ...each, query: [...new Set([...(older.operations[name]?.query ?? []), ...(each.query ?? [])])] },
        ]),
      ),
    },
    schemas: Object.fromEntries([...names].map(name => [name, { ...older.schemas[name], ...newer.schemas[name] }])),
    required: { ...older.required, ...newer.required },
  }
}

/** Adds facts to the table, and replaces entries of the same name. A newer vendor OpenAPI in YAML overrides the facts. */
export function extendRecord(file: string | undefined, newer?: string) {
  if (!file) throw new Error('Pass the facts file: npm run record -- FACTS.json [OPENAPI.yaml]')
  const facts = JSON.parse(readFileSync(file, 'utf8')) as Facts
  const described = newer === undefined ? facts : merge(facts, readDocument(readFileSync(newer, 'utf8')))
  const named = Object.entries(facts.recorded).map(([name, { method, path }]) => [name, `${method} ${path}`])
  extendFile(INDEX, Object.fromEntries(named))
  writeFileSync(join(folder, OPENAPI), JSON.stringify(toOpenApi(described)))
  const families = new Map<string, Pairs>()
  for (const [name, pair] of Object.entries(toPairs(facts))) {
    const family = pathOf(pair.request).split('/')[1]!
    families.set(family, { ...families.get(family), [name]: pair })
  }
  for (const [family, pairs] of families) extendFile(`${family.replaceAll('_', '-')}.json`, pairs)
  execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', folder])
}

function extendFile(name: string, more: Record<string, unknown>) {
  const before = existsSync(join(folder, name)) ? readJson(name) : {}
  const rows = Object.entries({ ...before, ...more }).sort(([a], [b]) => (a < b ? -1 : 1))
  // One row per line. The formatter breaks only long lines.
  writeFileSync(join(folder, name), `{\n${rows.map(([key, row]) => `"${key}":${JSON.stringify(row)}`).join(',\n')}}`)
}
