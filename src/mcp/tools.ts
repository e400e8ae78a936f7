import type { Tool } from '../control/route.ts'
import { isObject } from '../words/is-object.ts'
import { didYouMean, nearest } from '../words/nearest.ts'
import { Refusal } from './refusal.ts'

type Json = Record<string, unknown>
type Arguments = Record<string, unknown>

/** What is read of the control plane's own OpenAPI document: a simulator tells its tools itself. */
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

/** A row of the control plane as an agent calls it: what is in the path, the query and the body, in one list. */
export interface AgentTool extends Tool {
  summary: string
  method: string
  /** With its parameters in braces. */
  path: string
  /** Where each argument belongs. */
  places: Map<string, 'path' | 'query' | 'member' | 'body'>
  input: { type: 'object'; properties: Record<string, Json>; required: string[]; additionalProperties: false }
}

/** The tools of a simulator by their names. `sandbox` is the one they are about where none is given. */
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

/** The request that a call of the tool is; throws what is wrong with the arguments. */
export function requestOf(tool: AgentTool, given: Arguments, usual: string) {
  const wanted = withoutNulls(tool, given)
  checkNames(tool, wanted)
  const { sandbox = usual } = wanted
  const path = tool.path
    .replace(/^\/_sim/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => inPath(tool, name, { sandbox, ...wanted }[name]))
  const query = new URLSearchParams(tool.sets)
  const members: Arguments = {}
  let body: unknown
  for (const [name, value] of Object.entries(wanted)) {
    const place = tool.places.get(name)
    if (place === 'query') query.set(name, asText(tool, name, value))
    if (place === 'member') members[name] = value
    if (place === 'body') body = asObject(tool, name, value)
  }
  const takesMembers = [...tool.places.values()].includes('member')
  return {
    method: tool.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    body: body ?? (takesMembers ? members : undefined),
    sandbox: tool.path.includes('{sandbox}') ? String(sandbox) : undefined,
  }
}

function checkNames(tool: AgentTool, given: Arguments) {
  const known = Object.keys(tool.input.properties)
  const unknown = Object.keys(given).find(name => !known.includes(name))
  const takes = known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes none.'
  if (unknown !== undefined)
    throw new Refusal(
      `${tool.name} has no argument ${JSON.stringify(unknown.slice(0, 80))}.${didYouMean(nearest(unknown, known))} ${takes}`,
    )
  const missing = tool.input.required.find(name => given[name] === undefined)
  if (missing === undefined) return
  const { description } = tool.input.properties[missing]!
  throw new Refusal(`${tool.name} needs the argument "${missing}"${description ? `: ${description}` : ''}. ${takes}`)
}

/** Some models send null for what they leave out; for few arguments it means something. */
const withoutNulls = ({ input }: AgentTool, given: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || takesNull(input.properties[name])),
  )

const takesNull = (schema: Json | undefined) => Array.isArray(schema?.type) && schema.type.includes('null')

function inPath(tool: AgentTool, name: string, value: unknown): string {
  const text = asText(tool, name, value)
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Refusal(`The argument "${name}" of ${tool.name} has half a character in it.`)
  }
}

function asText(tool: AgentTool, name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // A filter is JSON.
  if (isObject(value) && tool.places.get(name) === 'query') return JSON.stringify(value)
  throw new Refusal(`The argument "${name}" of ${tool.name} must be a text that is not empty.`)
}

/** Some models send an object as text. */
function asObject(tool: AgentTool, name: string, value: unknown): unknown {
  if (isObject(value)) return value
  try {
    const parsed = typeof value === 'string' ? JSON.parse(value) : undefined
    if (isObject(parsed)) return parsed
  } catch {
    // Told below.
  }
  throw new Refusal(`The argument "${name}" of ${tool.name} must be an object.`)
}
