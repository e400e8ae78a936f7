import * as z from 'zod'
import { tableNames } from '../resources/index.ts'
import { pathsOf, type Route } from './route.ts'

type Json = Record<string, unknown>

/** JSON Schema cannot express our checks; the important ones are in the schema's metadata. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: simplify,
  })
  return rest
}

/** Leaves out that names are strings, and the largest integers of JavaScript. */
function simplify({ jsonSchema }: { jsonSchema: Json }) {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.propertyNames
}

const error = {
  description: 'Any failure, in the shape of the API',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Those that several routes have. */
const PARAMETERS = { sandbox: 'the name of a sandbox', collection: `a table: ${tableNames.join(', ')}` }

function describe(route: Route, path: string): Json {
  const words = route.path.match(/[a-z]+/g) ?? ['page']
  const named = path.includes('{sandbox}')
  const id = [route.method, ...words, ...(named ? ['of_sandbox'] : [])].join('_')
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      description: { ...PARAMETERS, ...route.params }[name!],
      schema: { type: 'string' },
    })),
    ...Object.entries(route.query ?? {}).map(([name, description]) => ({
      name,
      in: 'query',
      description,
      schema: { type: 'string' },
    })),
  ]
  return {
    operationId: id,
    summary: route.summary,
    parameters,
    ...(route.body ? { requestBody: { content: { 'application/json': { schema: jsonSchema(route.body) } } } } : {}),
    responses: {
      ...Object.fromEntries(route.statuses.map(status => [status, { description: 'Done' }])),
      default: error,
    },
    // Only once: under the path that includes the sandbox.
    ...(route.tool && (named || route.global) ? { 'x-edgesim-tools': [route.tool].flat() } : {}),
  }
}

/** OpenAPI 3.1 of the control plane, generated from its routes. */
export function controlDocument(routes: Route[], { url, version }: { url: string; version: string }): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes)
    for (const path of pathsOf(route)) paths[path] = { ...paths[path], [route.method]: describe(route, path) }
  return {
    openapi: '3.1.0',
    info: { title: 'The control plane of edgesim', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: {
            error_code: { type: 'string' },
            status_code: { type: 'integer' },
            msg: { type: 'string' },
            details: { type: 'object', additionalProperties: { type: 'string' } },
          },
          required: ['error_code', 'status_code', 'msg', 'details'],
        },
      },
    },
  }
}
