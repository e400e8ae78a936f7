import { collections, kinds, modules, operations } from './resources/index.ts'
import { type Collection, type Field, type Fields, isCollection, type Module, type Operation } from './schema/index.ts'
import { API_VERSION, versionHeader } from './words/vendor.ts'

type Json = Record<string, unknown>

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const titled = (name: string) => name.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
const orNull = (schema: Json) => ({ ...schema, type: [schema.type as string, 'null'] })

function requestSchema(fields: Fields, update: boolean): Json {
  const names = Object.keys(fields).filter(name => !(update && fields[name]!.createOnly))
  const required = update ? [] : names.filter(name => fields[name]!.required)
  const property = (field: Field) => ({
    ...field.shape.json,
    ...(field.default === undefined || update ? {} : { default: field.default }),
  })
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
    properties[shown] = field.shownAs ? { type: 'array', items: ref('Ref') } : field.shape.json
    if (!field.omittedWhenEmpty) required.push(shown)
  }
  return { properties, required }
}

function collectionSchemas(resource: Collection): Json {
  const name = titled(resource.name)
  const { properties, required } = responseFields(resource.fields)
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
    },
    required: ['id', 'uri', 'created_at', ...required, ...once],
    additionalProperties: false,
  })
  return {
    [name]: item({ type: 'null' }),
    ...(once.length ? { [`${name}Created`]: item({ type: 'string' }) } : {}),
    [`${name}Create`]: requestSchema(resource.fields, false),
    [`${name}Update`]: requestSchema(resource.fields, true),
    [`${name}List`]: {
      type: 'object',
      properties: {
        [resource.listAs]: { type: 'array', items: ref(name) },
        uri: { type: 'string', format: 'uri' },
        next_page_uri: orNull({ type: 'string', format: 'uri' }),
      },
      required: [resource.listAs, 'uri', 'next_page_uri'],
      additionalProperties: false,
    },
  }
}

function moduleSchemas(resource: Module): Json {
  const name = titled(resource.name)
  return {
    [name]: { type: 'object', ...responseFields(resource.fields), additionalProperties: false },
    [`${name}Replace`]: requestSchema(resource.fields, false),
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
    ...(operation.kind === 'list'
      ? [{ $ref: '#/components/parameters/limit' }, { $ref: '#/components/parameters/before_id' }]
      : []),
    { $ref: '#/components/parameters/version' },
  ]
  return {
    operationId: operation.id,
    summary: summaryOf(operation),
    tags: [operation.resource.name],
    parameters,
    ...(operation.takesBody ? { requestBody: content(bodyOf(operation)) } : {}),
    responses: {
      [status]: { description: 'Done', ...(schema ? content(schema) : {}) },
      default: { description: 'Any failure', ...content('Error') },
    },
  }
}

/** OpenAPI 3.1 of the simulated API, made of the declarations. */
export function openapi(options: { url: string; version: string; vendor: string }): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: describe(operation) }
  }
  const vendor = options.vendor
  return {
    openapi: '3.1.0',
    info: {
      title: 'Management API, simulated by edgesim',
      version: options.version,
      description: 'API keys, IP restrictions, and the modules of edges.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.url }],
    security: [{ bearer: [] }],
    tags: [...collections, ...modules].map(({ name, label }) => ({ name, description: label })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
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
        ...Object.assign({}, ...collections.map(collectionSchemas), ...modules.map(moduleSchemas)),
      },
    },
  }
}

/** The declarations as data: what the page draws its tables and forms from. */
export function describeResources() {
  const describeFields = (fields: Fields) =>
    Object.entries(fields).map(([name, field]) => ({
      name,
      schema: field.shape.json,
      create_only: field.createOnly === true,
      required: field.required !== undefined,
      default: field.default ?? null,
      refers_to: field.refersTo?.tables ?? null,
      shown_as: field.shownAs ?? null,
    }))
  return {
    kinds: kinds.map(kind => ({
      name: kind.name,
      table: kind.table,
      label: kind.label,
      prefix: kind.prefix,
      section: kind.section,
      path: isCollection(kind) ? kind.path : null,
      list_as: isCollection(kind) ? kind.listAs : null,
      fields: describeFields(kind.fields),
      parts: Object.entries(kind.parts ?? {}).map(([list, part]) => ({
        list,
        name: part.name,
        label: part.label,
        prefix: part.prefix,
        fields: describeFields(part.fields),
      })),
    })),
    modules: modules.map(({ name, label, path, section, of, fields }) => ({
      name,
      label,
      path,
      section,
      of,
      fields: describeFields(fields),
    })),
    operations: operations.map(({ id, method, path, kind, section }) => ({ id, method, path, kind, section })),
  }
}
