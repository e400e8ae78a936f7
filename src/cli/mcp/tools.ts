import { TOOLS, type Tool } from './tool-texts.ts'

type Json = Record<string, unknown>

/** The parts of the control API's OpenAPI description that tools need. A running simulator serves it. */
export interface ControlDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: 'path' | 'query'; description?: string }[]
  requestBody?: { content: { 'application/json': { schema: BodySchema } } }
}

interface BodySchema extends Json {
  properties?: Record<string, Json>
  required?: string[]
}

/** Offered by default. Others need `--all-tools`, because an agent reads the description of every tool. */
const CORE = new Set([
  ...['simulator_info', 'describe_api', 'describe_operation', 'list_assumptions'],
  ...['create_sandbox', 'drop_sandbox', 'reset', 'set_clock'],
  ...['call_api', 'list_requests', 'explain_request', 'verify_requests'],
  ...['list_scenarios', 'use_scenario', 'get_scenario', 'end_scenario'],
])

/** A control route as a tool, with arguments in the path, query or body. */
export interface AgentTool extends Tool {
  summary: string
  method: string
  /** With parameters in braces. */
  path: string
  /** The place of each argument. */
  places: Map<string, 'path' | 'query' | 'field' | 'body'>
  /** Whether it is offered by default. */
  core: boolean
  input: { type: 'object'; properties: Record<string, Json>; required: string[]; additionalProperties: false }
}

/** The tools of an operation. Most exist with and without the sandbox in the path. A tool uses the path with it. */
const textsOf = ({ operationId }: Operation, ids: ReadonlySet<string>): Tool[] =>
  ids.has(`${operationId}_of_sandbox`) ? [] : [TOOLS[operationId.replace(/_of_sandbox$/, '')] ?? []].flat()

/** All tools of a simulator by name. `sandbox` is the default for the argument `sandbox`. */
export function toolsOf({ paths }: ControlDocument, sandbox: string): Map<string, AgentTool> {
  const tools = new Map<string, AgentTool>()
  const ids = new Set(Object.values(paths).flatMap(methods => Object.values(methods).map(each => each.operationId)))
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      for (const tool of textsOf(operation, ids)) {
        const { summary } = { ...operation, ...tool }
        const accepted = argumentsOf(tool, operation, path.includes('{sandbox}') ? sandbox : undefined)
        tools.set(tool.name, {
          ...tool,
          ...accepted,
          summary,
          method: method.toUpperCase(),
          path,
          core: CORE.has(tool.name),
        })
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
      places.set(name, 'field')
    }
    required.push(...(body.required ?? []))
  }
  if (sandbox !== undefined) {
    const description = `Sandbox to use [default: ${sandbox}]`
    properties.sandbox = { type: 'string', description, default: sandbox }
    places.set('sandbox', 'path')
  }
  const input = { type: 'object' as const, properties, required, additionalProperties: false as const }
  return { places, input }
}
