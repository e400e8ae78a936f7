import { capital } from '../../basics/text.ts'
import type { Api } from '../api.ts'
import type { Catalog, Collection, Operation } from '../language/index.ts'
import type { Assumed } from '../question.ts'
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

const listParameters = ({ listFilter }: Api, kind: Collection): Json[] => [
  ...Object.entries(kind.picks ?? {}).map(([name, field]) => ({
    name,
    in: 'query',
    description: `Only items with one of these values as ${field} (repeatable)`,
    schema: { type: 'array', items: TEXT },
  })),
  ...(listFilter && kind.filterable
    ? [{ name: listFilter.parameter, in: 'query', description: listFilter.describe(kind), schema: TEXT }]
    : []),
]

const TEXT = { type: 'string' }

const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` })

function describe(api: Api, operation: Operation, shared: readonly string[]): Json {
  const { catalog, pages, openapi } = api
  const { kind } = operation
  const [status, schema] = responseOf(catalog, operation)
  const content = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })
  const parameters = [
    ...[...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(kind === 'list' || kind === 'sublist' ? Object.keys(pages.parameters).map(parameterRef) : []),
    ...(kind === 'list' ? listParameters(api, operation.resource) : []),
    ...shared.map(parameterRef),
  ]
  return {
    operationId: operation.id,
    summary: capital(operation.id.replaceAll('_', ' ')),
    tags: [operation.resource.name],
    ...openapi.extend?.(operation),
    parameters,
    ...(operation.takesBody ? { requestBody: content(bodyOf(operation)) } : {}),
    responses: {
      [status]: { description: 'Success', ...(schema ? content(schema) : {}) },
      default: { description: 'Any error', ...content('Error') },
    },
  }
}

/** OpenAPI 3.1 of the simulated API, under these assumptions. */
export function openapi(api: Api, options: { url: string; version: string; vendor: string; assumed: Assumed }): Json {
  const { collections, entryLists, modules, operations } = api.catalog
  const { title, description, securitySchemes = {}, parameters } = api.openapi
  const shared = parameters?.(options.vendor) ?? {}
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const described = describe(api, operation, Object.keys(shared))
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described }
  }
  const pageParameters = Object.entries(api.pages.parameters).map(([name, { schema, description }]) => [
    name,
    { name, in: 'query', ...(description && { description }), schema },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: options.version,
      ...(description && { description }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.url }],
    security: Object.keys(securitySchemes).map(name => ({ [name]: [] })),
    tags: [...collections, ...modules, ...entryLists].map(({ name, label }) => ({ name, description: label })),
    paths,
    components: {
      securitySchemes,
      parameters: { ...Object.fromEntries(pageParameters), ...shared },
      schemas: schemasOf(api, options.assumed),
    },
  }
}

/** A kind without a path has an empty uri. */
const REF = {
  type: 'object',
  properties: { id: TEXT, uri: { type: 'string', format: 'uri-reference' } },
  required: ['id', 'uri'],
  additionalProperties: false,
}

function schemasOf(api: Api, assumed: Assumed): Json {
  const { collections, entryLists, modules } = api.catalog
  const all = [
    ...collections.map(each => collectionSchemas(api, each, assumed)),
    ...modules.map(each => moduleSchemas(each, assumed)),
    ...entryLists.map(each => entrySchemas(each, assumed)),
  ]
  const Empty = { type: 'object', properties: {}, additionalProperties: false }
  return { Ref: REF, Error: api.openapi.error, ...Object.assign({}, ...all), Empty }
}
