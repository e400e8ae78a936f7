import type { Assumed } from '../../contract/assumptions.ts'
import { API_VERSION, versionHeader } from '../../contract/names.ts'
import type { Api } from '../api.ts'
import type { Catalog, Collection, Operation } from '../language/index.ts'
import { collectionSchemas, entrySchemas, type Json, moduleSchemas, ref, titled } from './openapi-schemas.ts'

function responseOf(catalog: Catalog, operation: Operation): [number, string | null] {
  const name = titled(operation.resource.name)
  switch (operation.kind) {
    case 'create':
      return [201, operation.resource.shownOnce?.length ? `${name}Created` : name]
    case 'create_entry':
      return [201, name]
    case 'list':
    case 'list_entries':
      return [200, `${name}List`]
    case 'sublist':
      return [200, `${titled(catalog.kindOf(operation.resource.lists![operation.key]!.table).name)}List`]
    case 'action':
    case 'delete_entry':
    case 'delete':
    case 'delete_module':
      return [204, null]
    default:
      return [200, name]
  }
}

const BODIES: Partial<Record<Operation['kind'], string>> = {
  create: 'Create',
  create_entry: 'Create',
  update: 'Update',
  update_entry: 'Update',
  replace_module: 'Replace',
}
const bodyOf = ({ kind, resource }: Operation) => (BODIES[kind] ? titled(resource.name) + BODIES[kind] : 'Empty')

const ACRONYMS = new Set(['api', 'ip', 'tcp', 'https', 'tls'])

/** `create_api_key` → Create API Key */
const summaryOf = ({ id }: Operation) =>
  id
    .split('_')
    .map(word => (ACRONYMS.has(word) ? word.toUpperCase() : titled(word)))
    .join(' ')

const pageParameters = [{ $ref: '#/components/parameters/limit' }, { $ref: '#/components/parameters/before_id' }]

const listParameters = ({ filterable, picks = {} }: Collection): Json[] => [
  ...pageParameters,
  ...Object.entries(picks).map(([name, field]) => ({
    name,
    in: 'query',
    description: `Only items with one of these values as ${field} (repeatable)`,
    schema: { type: 'array', items: TEXT },
  })),
  ...(filterable ? [{ name: 'filter', in: 'query', description: describeFilter(filterable), schema: TEXT }] : []),
]

const TEXT = { type: 'string' }
const describeFilter = (fields: readonly string[]) =>
  `CEL expression over obj, such as obj.id == "ak_ci". Fields of obj: ${fields.join(', ')}`

function describe(catalog: Catalog, operation: Operation): Json {
  const [status, schema] = responseOf(catalog, operation)
  const content = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(operation.kind === 'list' ? listParameters(operation.resource) : []),
    ...(operation.kind === 'sublist' ? pageParameters : []),
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
      [status]: { description: 'Success', ...(schema ? content(schema) : {}) },
      default: { description: 'Any error', ...content('Error') },
    },
  }
}

/** OpenAPI 3.1 of the simulated API, under these assumptions. */
export function openapi(
  { catalog }: Api,
  options: { url: string; version: string; vendor: string; assumed: Assumed },
): Json {
  const { collections, entryLists, modules, operations } = catalog
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(catalog, operation) }
  }
  const { vendor, assumed } = options
  return {
    openapi: '3.1.0',
    info: {
      title: 'Management API, simulated by edgesim',
      version: options.version,
      description:
        'API keys, IP restrictions and edge modules, and the resources that they refer to (marked with x-neighbour).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.url }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: [...collections, ...modules, ...entryLists].map(({ name, label }) => ({ name, description: label })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any user name' },
      },
      parameters: {
        limit: { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } },
        before_id: {
          name: 'before_id',
          in: 'query',
          description: 'Id of the last item on the previous page',
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
          // Users have no path: their uri is empty.
          properties: { id: { type: 'string' }, uri: { type: 'string', format: 'uri-reference' } },
          required: ['id', 'uri'],
          additionalProperties: false,
        },
        Error: {
          type: 'object',
          properties: {
            error_code: { type: 'string', pattern: '^(ERR_[A-Z0-9_]+_[0-9]+|[a-z_]+)$' },
            status_code: { type: 'integer' },
            msg: { type: 'string' },
            details: { type: 'object', additionalProperties: { type: 'string' } },
          },
          required: ['status_code', 'msg', 'details'],
          additionalProperties: false,
        },
        ...Object.assign({}, ...collections.map(each => collectionSchemas(catalog, each, assumed))),
        ...Object.assign({}, ...modules.map(each => moduleSchemas(each, assumed))),
        ...Object.assign({}, ...entryLists.map(each => entrySchemas(each, assumed))),
        Empty: { type: 'object', properties: {}, additionalProperties: false },
      },
    },
  }
}
