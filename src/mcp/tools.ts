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
  const tools = new Map<string, AgentTool>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      for (const tool of operation['x-edgesim-tools'] ?? []) {
        const { summary } = { ...operation, ...tool }
        const taken = argumentsOf(tool, operation, path.includes('{sandbox}') ? sandbox : undefined)
        tools.set(tool.name, { ...tool, ...taken, summary, method: method.toUpperCase(), path })
      }
  return tools
}

function argumentsOf(tool: Tool, operation: Operation, sandbox: string | undefined) {
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
  if (sandbox !== undefined) {
    const description = `the sandbox it is about; ${sandbox} unless given`
    properties.sandbox = { type: 'string', description, default: sandbox }
    places.set('sandbox', 'path')
  }
  const input = { type: 'object' as const, properties, required, additionalProperties: false as const }
  return { places, input }
}
