import { pathsOf, type Route } from './route.ts'

type Json = Record<string, unknown>

const error = {
  description: "Any error, in the API's error format",
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** Parameters of several routes. */
const PARAMETERS = { sandbox: 'Sandbox name', collection: 'Table' }

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
    ...(route.body ? { requestBody: { content: { 'application/json': { schema: route.body.json } } } } : {}),
    responses: {
      ...Object.fromEntries(route.statuses.map(status => [status, { description: 'Done' }])),
      default: error,
    },
  }
}

/** The OpenAPI 3.1 description of the control API, generated from its routes. */
export function controlDocument(routes: Route[], { url, version }: { url: string; version: string }): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes)
    for (const path of pathsOf(route)) paths[path] = { ...paths[path], [route.method]: describe(route, path) }
  return {
    openapi: '3.1.0',
    info: { title: 'edgesim control API', version, license: { name: 'MIT', identifier: 'MIT' } },
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
