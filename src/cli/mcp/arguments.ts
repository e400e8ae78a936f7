import { isObject, parseJson } from '../../basics/json.ts'
import { didYouMean, nearest } from '../../basics/nearest.ts'
import type { AgentTool } from './tools.ts'

type Arguments = Record<string, unknown>

/** An agent sent invalid arguments. The message describes valid ones. */
export class ArgumentError extends Error {
  override name = 'ArgumentError'
}

export interface Argument {
  name: string
  description?: string
  required: boolean
}

/** Checks the argument names of a tool or prompt, not the values. */
export function checkArguments(owner: string, accepted: Argument[], given: Arguments) {
  const known = accepted.map(({ name }) => name)
  const valid = known.length > 0 ? `Valid arguments: ${known.join(', ')}.` : 'It takes no arguments.'
  const unknown = Object.keys(given).find(name => !known.includes(name))
  if (unknown !== undefined) {
    const hint = didYouMean(nearest(unknown, known))
    throw new ArgumentError(`Unknown argument ${JSON.stringify(unknown.slice(0, 80))} of ${owner}.${hint} ${valid}`)
  }
  const missing = accepted.find(({ name, required }) => required && given[name] === undefined)
  if (missing === undefined) return
  const { name, description } = missing
  throw new ArgumentError(`${owner} requires the argument "${name}"${description ? `: ${description}` : ''}. ${valid}`)
}

/** The control API request of a tool call. Throws an ArgumentError. */
export function requestOf(tool: AgentTool, given: Arguments, defaultSandbox: string) {
  const { properties, required } = tool.input
  // Some models send null for omitted arguments. Only a few arguments accept null.
  const wanted = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || typesOf(properties[name]).includes('null')),
  )
  const accepted = Object.entries(properties).map(([name, { description }]) => ({
    name,
    description: description as string | undefined,
    required: required.includes(name),
  }))
  checkArguments(tool.name, accepted, wanted)
  const { sandbox = defaultSandbox } = wanted
  const path = tool.path
    .replace(/^\/_sim/, '')
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asText(tool, name, { sandbox, ...wanted }[name])))
  const query = new URLSearchParams(tool.sets)
  const fields: Arguments = {}
  let body: unknown
  for (const [name, value] of Object.entries(wanted)) {
    const place = tool.places.get(name)
    if (place === 'query') query.set(name, asText(tool, name, value))
    if (place === 'field') fields[name] = value
    if (place === 'body') body = asBody(tool, name, value)
  }
  const takesFields = [...tool.places.values()].includes('field')
  return {
    method: tool.method,
    path: query.size > 0 ? `${path}?${query}` : path,
    body: body ?? (takesFields ? fields : undefined),
    sandbox: tool.path.includes('{sandbox}') ? String(sandbox) : undefined,
  }
}

/** The types of values that a schema accepts. */
const typesOf = ({ type, anyOf = [] }: { type?: unknown; anyOf?: { type?: unknown }[] } = {}) =>
  [type ?? anyOf.map(each => each.type)].flat()

/** With the flag u, this matches only unpaired surrogates. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u

function asText(tool: AgentTool, name: string, value: unknown): string {
  if (typeof value === 'string' && UNPAIRED_SURROGATE.test(value))
    throw new ArgumentError(`The argument "${name}" of ${tool.name} contains an unpaired surrogate.`)
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  // Filters are sent as JSON.
  if (isObject(value) && tool.places.get(name) === 'query') return JSON.stringify(value)
  throw new ArgumentError(`The argument "${name}" of ${tool.name} must be a non-empty string.`)
}

/** Some models send an object as a JSON string. */
function asBody(tool: AgentTool, name: string, value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : value
  if (isObject(parsed)) return parsed
  const takesText = typesOf(tool.input.properties[name]).includes('string')
  if (takesText && typeof value === 'string') return value
  throw new ArgumentError(`The argument "${name}" of ${tool.name} must be an object${takesText ? ' or a string' : ''}.`)
}
