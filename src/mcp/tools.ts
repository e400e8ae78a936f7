import type { Tool } from '../control/route.ts'

type Json = Record<string, unknown>

/** The parts of the control plane's OpenAPI document that tools are made of. A running simulator serves it. */
export interface ControlDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  summary: string
  parameters: { name: string; in: 'path' | 'query'; description?: string }[]
  requestBody?: { content: { 'application/json': { schema: BodySchema } } }
  'x-edgesim-tools'?: Tool[]
}

interface BodySchema extends Json {
  properties?: Record<string, Json>
  required?: string[]
}

/** A control route as a tool: its arguments go into the path, the query or the body. */
export interface AgentTool extends Tool {
  summary: string
  method: string
  /** With its parameters in braces. */
  path: string
  /** Where each argument goes. */
  places: Map<string, 'path' | 'query' | 'member' | 'body'>
  input: { type: 'object'; properties: Record<string, Json>; required: string[]; additionalProperties: false }
}

/** The tools of a simulator by name. `sandbox` is the default of their argument `sandbox`. */
export function toolsOf({ paths }: ControlDocument, sandbox: string): Map<string, AgentTool> {
  const tools = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      (operation['x-edgesim-tools'] ?? []).map(tool => toolOf(tool, { method, path, operation, sandbox })),
    ),
  )
  return new Map(tools.map(tool => [tool.name, tool]))
}

interface Source {
  method: string
  path: string
  operation: Operation
  sandbox: string
}

function toolOf(tool: Tool, { method, path, operation, sandbox }: Source): AgentTool {
  const properties: Record<string, Json> = {}
  const places: AgentTool['places'] = new Map()
  const required: string[] = []
  for (const { name, in: place, description } of operation.parameters) {
    if (name === 'sandbox' || tool.sets?.[name] !== undefined) continue
    properties[name] = { type: 'string', description }
    places.set(name, place)
    if (place === 'path' || tool.needs?.includes(name)) required.push(name)
  }
  const body = operation.requestBody?.content['application/json'].schema
  if (body && tool.body) {
    properties[tool.body] = body
    places.set(tool.body, 'body')
    required.push(tool.body)
  } else if (body) {
    for (const [name, schema] of Object.entries(body.properties ?? {})) {
      properties[name] = schema
      places.set(name, 'member')
    }
    required.push(...(body.required ?? []))
  }
  if (path.includes('{sandbox}')) {
    properties.sandbox = {
      type: 'string',
      description: `the sandbox it is about; ${sandbox} unless given`,
      default: sandbox,
    }
    places.set('sandbox', 'path')
  }
  const { summary } = { ...operation, ...tool }
  const input = { type: 'object' as const, properties, required, additionalProperties: false as const }
  return { ...tool, summary, method: method.toUpperCase(), path, places, input }
}
