import type { Assumed } from '../contract/assumptions.ts'
import { API_VERSION, versionHeader } from '../contract/names.ts'
import { type Collection, type Field, type Fields, type Module, nullMembers, type Operation } from '../schema/index.ts'
import { collections, modules, operations, partsOf } from './index.ts'

type Json = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const titled = (name: string) => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const orNull = (schema: Json) => ({ ...schema, type: [schema.type as string, 'null'] })

function requestSchema(fields: Fields, update: boolean, assumed: Assumed): Json {
  const names = Object.keys(fields).filter(name => !(update && fields[name]!.createOnly))
  const isNotEmpty = ({ notEmpty }: Field) => !update && notEmpty !== undefined && assumed[notEmpty.under] === 'reject'
  const required = update ? [] : names.filter(name => fields[name]!.required || isNotEmpty(fields[name]!))
  const property = (field: Field) => {
    const { group, shape, default: fallback, required } = field
    if (isNotEmpty(field)) return { ...shape.json, minItems: 1 }
    return {
      ...(group ? requestSchema(group, false, assumed) : shape.json),
      ...(fallback === undefined || required || update ? {} : { default: fallback }),
    }
  }
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, property(fields[name]!)])),
    ...(required.length ? { required } : {}),
    additionalProperties: false,
  }
}

function responseFields(fields: Fields): { properties: Json; required: string[] } {
  const properties: Json = {}
  const required: string[] = []
  for (const [name, field] of Object.entries(fields)) {
    const shown = field.shownAs ?? name
    properties[shown] = shownSchema(field)
    if (!field.omittedWhenEmpty) required.push(shown)
  }
  return { properties, required }
}

function shownSchema({ shape, shownAs, group, default: fallback, nullWhenUnset }: Field): Json {
  if (group) {
    const schema = { type: 'object', ...responseFields(group), additionalProperties: false }
    return fallback === undefined ? orNull(schema) : schema
  }
  if (!shownAs) return nullWhenUnset ? orNull(shape.json) : shape.json
  return shape.json.type === 'array' ? { type: 'array', items: ref('Ref') } : { anyOf: [ref('Ref'), { type: 'null' }] }
}

/** Members of an answer that are not fields: modules that are not simulated, and lists of parts. */
const otherMembers = (resource: Collection): Json => ({
  ...Object.fromEntries(nullMembers(resource).map(name => [name, { type: 'null' }])),
  ...Object.fromEntries(
    partsOf(resource.table)
      .filter(({ partOf }) => partOf!.shown)
      .map(({ partOf, name }) => [partOf!.list, { type: 'array', items: ref(titled(name)) }]),
  ),
})

function collectionSchemas(resource: Collection, assumed: Assumed): Json {
  const name = titled(resource.name)
  const { properties, required } = responseFields(resource.fields)
  const others = otherMembers(resource)
  const once = resource.shownOnce ?? []
  const shown = (value: Json) => Object.fromEntries(once.map(field => [field, value]))
  const item = (onceSchema: Json) => ({
    type: 'object',
    properties: {
      id: { type: 'string', pattern: `^${resource.prefix}_[A-Za-z0-9_-]{1,64}$` },
      uri: { type: 'string', format: 'uri' },
      created_at: { type: 'string', format: 'date-time' },
      ...properties,
      ...shown(onceSchema),
      ...others,
    },
    required: ['id', 'uri', 'created_at', ...required, ...once, ...Object.keys(others)],
    additionalProperties: false,
  })
  return {
    [name]: item({ type: 'null' }),
    ...(once.length ? { [`${name}Created`]: item({ type: 'string' }) } : {}),
    [`${name}Create`]: requestSchema(bodyFields(resource), false, assumed),
    [`${name}Update`]: requestSchema(bodyFields(resource), true, assumed),
    ...(resource.listAs ? { [`${name}List`]: listSchema(resource.listAs, name) } : {}),
  }
}

/** The fields of a body: those that are not in the path. */
const bodyFields = ({ path, fields }: Collection): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !path.includes(`{${name}}`)))

const listSchema = (listAs: string, item: string): Json => ({
  type: 'object',
  properties: {
    [listAs]: { type: 'array', items: ref(item) },
    uri: { type: 'string', format: 'uri' },
    next_page_uri: orNull({ type: 'string', format: 'uri' }),
  },
  required: [listAs, 'uri', 'next_page_uri'],
  additionalProperties: false,
})

function moduleSchemas(resource: Module, assumed: Assumed): Json {
  const name = titled(resource.name)
  return {
    [name]: { type: 'object', ...responseFields(resource.fields), additionalProperties: false },
    [`${name}Replace`]: requestSchema(resource.fields, false, assumed),
  }
}

function answerOf(operation: Operation): [number, string | null] {
  const name = titled(operation.resource.name)
  switch (operation.kind) {
    case 'create':
      return [201, operation.resource.shownOnce?.length ? `${name}Created` : name]
    case 'list':
      return [200, `${name}List`]
    case 'delete':
    case 'delete_module':
      return [204, null]
    default:
      return [200, name]
  }
}

const bodyOf = ({ kind, resource }: Operation) =>
  titled(resource.name) + { create: 'Create', update: 'Update', replace_module: 'Replace' }[kind as 'create']

const ACRONYMS = new Set(['api', 'ip', 'tcp', 'https'])

/** `create_api_key` → Create API Key */
const summaryOf = ({ id }: Operation) =>
  id
    .split('_')
    .map(word => (ACRONYMS.has(word) ? word.toUpperCase() : titled(word)))
    .join(' ')

const listParameters = ({ filterable }: Collection): Json[] => [
  { $ref: '#/components/parameters/limit' },
  { $ref: '#/components/parameters/before_id' },
  ...(filterable ? [{ name: 'filter', in: 'query', description: describeFilter(filterable), schema: TEXT }] : []),
]

const TEXT = { type: 'string' }
const describeFilter = (members: readonly string[]) =>
  `An expression over obj in a part of CEL, such as obj.id == "ak_ci". Members of obj: ${members.join(', ')}`

function describe(operation: Operation): Json {
  const [status, schema] = answerOf(operation)
  const content = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(operation.kind === 'list' ? listParameters(operation.resource) : []),
    { $ref: '#/components/parameters/version' },
  ]
  return {
    operationId: operation.id,
    summary: summaryOf(operation),
    tags: [operation.resource.name],
    ...(operation.neighbour ? { 'x-neighbour': true } : {}),
    parameters,
    ...(operation.takesBody ? { requestBody: content(bodyOf(operation)) } : {}),
    responses: {
      [status]: { description: 'Done', ...(schema ? content(schema) : {}) },
      default: { description: 'Any failure', ...content('Error') },
    },
  }
}

/** The OpenAPI 3.1 document of the simulated API, under these assumptions. */
export function openapi(options: { url: string; version: string; vendor: string; assumed: Assumed }): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) }
  }
  const { vendor, assumed } = options
  return {
    openapi: '3.1.0',
    info: {
      title: 'Management API, simulated by edgesim',
      version: options.version,
      description:
        'API keys, IP restrictions, and the modules of edges; and their neighbours, which the document of the API only refers to.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.url }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...collections, ...modules].map(({ name, label }) => ({ name, description: label })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic', description: 'The token is the password; the name may be anything' },
      },
      parameters: {
        limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } },
        before_id: {
          name: 'before_id',
          in: 'query',
          description: 'The last item of the page before',
          schema: { type: 'string' },
        },
        version: {
          name: versionHeader(vendor),
          in: 'header',
          required: true,
          schema: { type: 'string', const: API_VERSION },
        },
      },
      schemas: {
        Ref: {
          type: 'object',
          properties: { id: { type: 'string' }, uri: { type: 'string', format: 'uri' } },
          required: ['id', 'uri'],
          additionalProperties: false,
        },
        Error: {
          type: 'object',
          properties: {
            error_code: { type: 'string', pattern: '^ERR_[A-Z0-9_]+_[0-9]+$' },
            status_code: { type: 'integer' },
            msg: { type: 'string' },
            details: { type: 'object', additionalProperties: { type: 'string' } },
          },
          required: ['error_code', 'status_code', 'msg', 'details'],
          additionalProperties: false,
        },
        ...Object.assign({}, ...collections.map(each => collectionSchemas(each, assumed))),
        ...Object.assign({}, ...modules.map(each => moduleSchemas(each, assumed))),
      },
    },
  }
}
