import * as z from 'zod'
import type { ControlRoute } from './route.ts'

type Json = Record<string, unknown>

/** JSON Schema has no refinements; what matters of them is in the schema's meta data. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

const error = {
  description: 'Any failure, in the shape of the API',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

function describe(route: ControlRoute, path: string, suffix: string): Json {
  const words = route.path.match(/[a-z]+/g) ?? ['page']
  const id = `${[route.method, ...words].join('_')}${suffix}`
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
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
      ...Object.fromEntries(route.answers.map(status => [status, { description: 'Done' }])),
      default: error,
    },
  }
}

/** OpenAPI 3.1 of the control plane, made of its table of routes. */
export function controlDocument(routes: ControlRoute[], { url, version }: { url: string; version: string }): Json {
  const paths: Record<string, Json> = {}
  const put = (path: string, route: ControlRoute, suffix = '') => {
    paths[path] = { ...paths[path], [route.method]: describe(route, path, suffix) }
  }
  for (const route of routes) {
    put(`/_sim${route.path}`, route)
    if (!route.global) put(`/_sim/sandboxes/{sandbox}${route.path}`, route, '_of_sandbox')
  }
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
